#!/usr/bin/env node
// The start file is CommonJS, because libuv reads the size of its thread pool at the first file
// system call, and loading an ES module makes one. It is also what an old Node can still read, to
// say that it is too old: everything else would end in an error of its syntax or its functions.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`transfer needs Node.js 20.19 or later; this is ${process.versions.node}.\n`)
  // EX_CONFIG of sysexits(3): starting again does not help.
  process.exitCode = 78
} else {
  // With the default of four threads a few syncs would delay every read.
  process.env['UV_THREADPOOL_SIZE'] ??= '16'
  // Files and folders of the service are private.
  process.umask(0o077)
  // Computed at run time, so that the bundler leaves this import alone.
  const start = './start.mjs'
  void import(start)
}
