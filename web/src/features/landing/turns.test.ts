import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeSight } from './testing/browser.ts'
import { createTurns, patienceMs } from './turns.ts'

/** More than one turn takes, and much less than anybody's patience. */
const aWhileMs = 1_000

let sight: ReturnType<typeof fakeSight>
let stop: () => void
let shown: string[]
let places: Readonly<Record<'first' | 'second' | 'third', HTMLElement>>

const place = (name: string) => {
  const element = document.createElement('div')
  element.id = name
  document.body.append(element)
  return element
}

beforeEach(() => {
  vi.useFakeTimers()
  // The fallback of browsers without it keeps to the timers.
  vi.stubGlobal('requestIdleCallback', undefined)
  Reflect.deleteProperty(window, 'requestIdleCallback')
  sight = fakeSight()
  shown = []
  places = { first: place('first'), second: place('second'), third: place('third') }
  const turns = createTurns()
  // Not in their order: some are loaded later than others.
  for (const { id } of [places.third, places.first, places.second]) {
    const leave = turns.join(places[id as keyof typeof places], () => {
      shown.push(id)
      // As a part does once it has been rendered.
      setTimeout(leave, 100)
    })
  }
  stop = turns.start()
})
afterEach(() => {
  stop()
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the parts of a page', () => {
  it('wait while the reader looks at its first screen', () => {
    vi.advanceTimersByTime(patienceMs - 1)
    expect(shown).toEqual([])
  })

  it('come one after the other, from the top, when the reader has looked for a while', () => {
    vi.advanceTimersByTime(patienceMs + 50)
    expect(shown).toEqual(['first'])
    vi.advanceTimersByTime(aWhileMs)
    expect(shown).toEqual(['first', 'second', 'third'])
  })

  it.each(['scroll', 'wheel', 'touchstart', 'pointerdown', 'keydown', 'focusin'])(
    'come after the first %s',
    (intent) => {
      window.dispatchEvent(new Event(intent))
      vi.advanceTimersByTime(aWhileMs)
      expect(shown).toEqual(['first', 'second', 'third'])
    },
  )

  it('come when the reader comes near, and only those', () => {
    sight.show(places.second, 0.1)
    vi.advanceTimersByTime(aWhileMs)
    expect(shown).toEqual(['second'])
  })

  it('do not come when the reader has been near and is away before their turn', () => {
    sight.show(places.second, 0.1)
    sight.show(places.second, 0)
    vi.advanceTimersByTime(aWhileMs)
    expect(shown).toEqual([])
  })

  it('come sooner where the reader is', () => {
    window.dispatchEvent(new Event('scroll'))
    sight.show(places.third, 0.1)
    vi.advanceTimersByTime(aWhileMs)
    expect(shown).toEqual(['third', 'first', 'second'])
  })

  it('are all there before a link leads to one of them', () => {
    const link = document.createElement('a')
    link.href = '#third'
    document.body.append(link)
    link.click()
    expect(shown.toSorted()).toEqual(['first', 'second', 'third'])
  })

  it('do not come for a link to another page', () => {
    const link = document.createElement('a')
    link.href = '/login'
    link.addEventListener('click', (event) => event.preventDefault())
    document.body.append(link)
    link.click()
    expect(shown).toEqual([])
  })

  it('are all there on paper', () => {
    window.dispatchEvent(new Event('beforeprint'))
    expect(shown.toSorted()).toEqual(['first', 'second', 'third'])
  })

  it('do not come once the page has been left', () => {
    window.dispatchEvent(new Event('scroll'))
    stop()
    vi.advanceTimersByTime(patienceMs * 2)
    expect(shown).toEqual([])
  })
})
