/**
 * What the oldest supported browsers lack of what the portal and its libraries use. Browsers that lack it load this file before all
 * others (start-after-paint.ts); `polyfilled` in browsers/supported.ts lists it for the lint rule.
 */
import 'core-js/modules/es.array.find-last.js'
import 'core-js/modules/es.array.find-last-index.js'
import 'core-js/modules/es.array.to-reversed.js'
import 'core-js/modules/es.array.to-sorted.js'
import 'core-js/modules/es.array.to-spliced.js'
import 'core-js/modules/es.array.with.js'
import 'core-js/modules/es.promise.with-resolvers.js'
import 'core-js/modules/es.string.to-well-formed.js'
import 'core-js/modules/web.url.can-parse.js'
import 'wicg-inert'

const timeout = (ms: number): AbortSignal => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('The time is over', 'TimeoutError')), ms)
  return controller.signal
}

const any = (signals: Iterable<AbortSignal>): AbortSignal => {
  const controller = new AbortController()
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true, signal: controller.signal })
  }
  return controller.signal
}

for (const [name, value] of Object.entries({ timeout, any }))
  if (!(name in AbortSignal)) Object.defineProperty(AbortSignal, name, { value, configurable: true, writable: true })
