import { EventEmitter } from 'node:events'
import { mock } from 'node:test'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { discardBody } from '../../src/http/discard.ts'
import type { RequestContext } from '../../src/http/request-context.ts'

const discarding = suite('discard')

/** A request whose body has not ended, and whose answer is being written. */
function refusedContext() {
  let destroyed = false
  const request = Object.assign(new EventEmitter(), {
    complete: false,
    destroyed: false,
    isFlowing: false,
    resume() {
      request.isFlowing = true
    },
    socket: {
      destroy() {
        destroyed = true
      },
    },
  })
  const response = new EventEmitter()
  const context = { request, response, bodyBytes: 0, paused: true }
  return {
    context: context as unknown as RequestContext,
    request,
    response,
    isCut: () => destroyed,
  }
}

discarding.before.each(() => mock.timers.enable({ apis: ['setTimeout'] }))
discarding.after.each(() => mock.timers.reset())

discarding('should keep reading, so that the client can read the answer', () => {
  const { context, request, isCut } = refusedContext()
  discardBody(context)
  assert.ok(request.isFlowing)
  assert.not.ok(context.paused)
  request.emit('data', Buffer.alloc(10))
  assert.is(context.bodyBytes, 10)
  assert.not.ok(isCut())
})

discarding('should allow 60 s for the rest of a body, even long after the answer', () => {
  const { context, request, response, isCut } = refusedContext()
  discardBody(context)
  response.emit('close')
  for (let second = 0; second < 59; second += 1) {
    mock.timers.tick(1000)
    request.emit('data', Buffer.alloc(1))
  }
  assert.not.ok(isCut())
  mock.timers.tick(1000)
  assert.ok(isCut())
})

discarding('should read at most 256 MiB', () => {
  const { context, request, isCut } = refusedContext()
  discardBody(context)
  const data = Buffer.alloc(1024 * 1024)
  for (let count = 0; count < 256; count += 1) request.emit('data', data)
  assert.not.ok(isCut())
  request.emit('data', Buffer.alloc(1))
  assert.ok(isCut())
})

discarding('should leave alone a connection whose body has ended', () => {
  const { context, request, isCut } = refusedContext()
  discardBody(context)
  request.emit('end')
  mock.timers.tick(120_000)
  assert.not.ok(isCut())
})

discarding.run()
