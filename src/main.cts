#!/usr/bin/env node
// The start file is CommonJS, because libuv reads the size of its thread pool at the first file
// system call, and loading an ES module makes one. With the default of four threads a few syncs
// would delay every read.
process.env['UV_THREADPOOL_SIZE'] ??= '16'
// Files and folders of the service are private.
process.umask(0o077)

// Computed at run time, so that the bundler leaves this import alone.
const start = './start.mjs'
void import(start)
