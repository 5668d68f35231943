import { ThemeProvider } from '@mui/material/styles'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { theme } from './theme/theme.ts'
import { useRowHighlight } from '../ui/use-row-highlight.ts'

const Rows = ({ names }: { readonly names: readonly string[] }) => {
  const { highlight, rowRef } = useRowHighlight()
  return (
    <>
      <button onClick={() => highlight('b')}>touch</button>
      {names.map((name) => (
        <p key={name} ref={rowRef(name)}>
          {name}
        </p>
      ))}
    </>
  )
}

const rows = (...names: readonly string[]) => (
  <ThemeProvider theme={theme}>
    <Rows names={names} />
  </ThemeProvider>
)

/** Replaces the browser's scrolling and animations, which happy-dom lacks. */
const setUp = (prefersReducedMotion: boolean) => {
  const faded: unknown[] = []
  const scrolled: unknown[] = []
  vi.stubGlobal('matchMedia', () => {
    const list = new EventTarget()
    return Object.assign(list, {
      matches: prefersReducedMotion,
      addListener: vi.fn<() => void>(),
      removeListener: vi.fn<() => void>(),
    })
  })
  HTMLElement.prototype.animate = function animate(this: HTMLElement) {
    faded.push(this.textContent)
    return new Animation()
  }
  HTMLElement.prototype.scrollIntoView = function scrollIntoView(this: HTMLElement) {
    scrolled.push(this.textContent)
  }
  return { faded, scrolled }
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const touch = () => fireEvent.click(screen.getByRole('button', { name: 'touch' }))

test('a touched row is scrolled into view and fades, once', () => {
  const { faded, scrolled } = setUp(false)
  const view = render(rows('a', 'b'))
  touch()
  view.rerender(rows('a', 'b', 'c'))
  expect({ faded, scrolled }).toEqual({ faded: ['b'], scrolled: ['b'] })
})

test('a row that appears after a reload is highlighted', () => {
  const { faded } = setUp(false)
  const view = render(rows('a'))
  touch()
  expect(faded).toEqual([])
  view.rerender(rows('a', 'b'))
  expect(faded).toEqual(['b'])
})

test('a touched row does not fade under reduced motion', () => {
  const { faded, scrolled } = setUp(true)
  render(rows('a', 'b'))
  touch()
  expect({ faded, scrolled }).toEqual({ faded: [], scrolled: ['b'] })
})
