import { EventEmitter } from 'node:events'
import { mock } from 'node:test'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { discardBody } from '../../src/http/discard.ts'
import type { Exchange } from '../../src/http/exchange.ts'

const discarding = suite('discard')

/** A request whose body has not ended, and whose answer is being written. */
function refusedExchange() {
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
  const exchange = { request, response, bodyBytes: 0, paused: true }
  return { exchange: exchange as unknown as Exchange, request, response, isCut: () => destroyed }
}

discarding.before.each(() => mock.timers.enable({ apis: ['setTimeout'] }))
discarding.after.each(() => mock.timers.reset())

discarding('should read on, so that the client gets to read the answer', () => {
  const { exchange, request, isCut } = refusedExchange()
  discardBody(exchange)
  assert.ok(request.isFlowing)
  assert.not.ok(exchange.paused)
  request.emit('data', Buffer.alloc(10))
  assert.is(exchange.bodyBytes, 10)
  assert.not.ok(isCut())
})

discarding('should give the rest of a body 60 s, though the answer has long been written', () => {
  const { exchange, request, response, isCut } = refusedExchange()
  discardBody(exchange)
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
  const { exchange, request, isCut } = refusedExchange()
  discardBody(exchange)
  const data = Buffer.alloc(1024 * 1024)
  for (let count = 0; count < 256; count += 1) request.emit('data', data)
  assert.not.ok(isCut())
  request.emit('data', Buffer.alloc(1))
  assert.ok(isCut())
})

discarding('should leave alone a connection whose body has ended', () => {
  const { exchange, request, isCut } = refusedExchange()
  discardBody(exchange)
  request.emit('end')
  mock.timers.tick(120_000)
  assert.not.ok(isCut())
})

discarding.run()
