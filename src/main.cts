#!/usr/bin/env node
// The start file is CommonJS: libuv reads the size of its thread pool when the first file system
// call is made, and an ES module is loaded with one. With the default of four threads a few syncs
// would hold up every read.
process.env['UV_THREADPOOL_SIZE'] ??= '16'
// Files and folders of the service are nobody else's.
process.umask(0o077)

// A name put together at run time: the bundler must leave this import alone.
const start = './start.mjs'
void import(start)
