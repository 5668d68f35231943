import { ThemeProvider } from '@mui/material/styles'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { theme } from './theme/theme.ts'
import { light } from './theme/tokens.ts'
import { Provider as StoreProvider } from 'jotai'
import { finishPendingWork } from '../lib/pending-work.ts'
import { useSaidByPage, useToast } from '../ui/toast/atoms.ts'
import { ToastRegion } from '../ui/toast/toast-region.tsx'

const opened = vi.fn<() => void>()
const undone = vi.fn<() => void>()
const committed = vi.fn<() => void>()
const undo = { onUndo: undone, onCommit: committed }

/** Buttons that each show a toast. */
const Speaker = () => {
  const toast = useToast()
  return (
    <>
      <button onClick={() => toast.success('Removed', { subject: 'list', undo })}>remove</button>
      <button onClick={() => toast.success('Removed all', { subject: 'list', undo })}>remove all</button>
      <button onClick={() => toast.dismiss('list')}>dismiss</button>
      <button onClick={() => toast.success('Saved')}>success</button>
      <button onClick={() => toast.error('Not saved')}>error</button>
      <button onClick={() => toast.warning('Careful')}>warning</button>
      <button onClick={() => toast.info('News', { action: { label: 'View', onPress: opened } })}>info</button>
    </>
  )
}

const PageThatSays = ({ message }: { message: string }) => {
  useSaidByPage(message)
  return message
}
const providers = ({ children }: { children: ReactNode }) => (
  <StoreProvider>
    <ThemeProvider theme={theme}>{children}</ThemeProvider>
  </StoreProvider>
)

const say = (kind: string) => fireEvent.click(screen.getByRole('button', { name: kind }))
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

const speaker = (page?: ReactNode) => (
  <>
    <Speaker />
    <ToastRegion />
    {page}
  </>
)

describe('toasts', () => {
  let view: ReturnType<typeof render>

  beforeEach(() => {
    vi.useFakeTimers()
    view = render(speaker(), { wrapper: providers })
  })
  afterEach(async () => {
    cleanup()
    await finishPendingWork()
    vi.clearAllMocks()
    vi.useRealTimers()
  })

  it('[G-7] disappear after four seconds, but stay while they are hovered', async () => {
    say('success')
    expect(screen.getByRole('status').textContent).toBe('Saved')
    await later(3_999)
    expect(screen.getByRole('status')).toBeDefined()
    await later(1)
    expect(screen.queryByRole('status')).toBeNull()

    say('error')
    fireEvent.pointerEnter(screen.getByRole('alert'))
    await later(10_000)
    expect(screen.getByRole('alert').textContent).toBe('Not saved')
    fireEvent.pointerLeave(screen.getByRole('alert'))
    await later(4_000)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('do not repeat what the page says', () => {
    view.rerender(speaker(<PageThatSays message="Saved" />))
    say('success')
    expect(screen.queryByRole('status')).toBeNull()
    say('warning')
    expect(screen.getByRole('status').textContent).toBe('Careful')
    view.rerender(speaker())
    say('success')
    expect(screen.getByText('Saved')).toBeDefined()
  })

  it('[G-5] of each kind have a role and colors of their own', () => {
    for (const [kind, role, tone] of [
      ['success', 'status', 'green'],
      ['error', 'alert', 'red'],
      ['warning', 'status', 'yellow'],
      ['info', 'status', 'blue'],
    ] as const) {
      say(kind)
      const { color, backgroundColor } = getComputedStyle(screen.getByRole(role))
      const { text, background } = light.tones[tone]
      expect({ kind, color, backgroundColor }).toEqual({ kind, color: text, backgroundColor: background })
      press('Close message')
    }
  })

  it('[G-8] can be closed, and link to their subject', () => {
    say('info')
    press('View')
    expect(opened).toHaveBeenCalledOnce()
    say('warning')
    press('Close message')
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('are at most three, without duplicates', () => {
    for (const kind of ['success', 'info', 'info', 'warning', 'error']) say(kind)
    const shown = within(screen.getByRole('region', { name: 'Messages' }))
    expect(shown.queryByText('Saved')).toBeNull()
    expect(['News', 'Careful', 'Not saved'].map((words) => shown.getAllByText(words).length)).toEqual([1, 1, 1])
  })

  describe('with Undo', () => {
    it('take back once, by their button or Alt+Z, and then do not commit', async () => {
      say('remove')
      press('Undo')
      expect(screen.queryByRole('status')).toBeNull()
      await later(20_000)
      expect(undone).toHaveBeenCalledOnce()
      expect(committed).not.toHaveBeenCalled()

      say('remove')
      fireEvent.keyDown(document.body, { key: 'Ω', code: 'KeyZ', altKey: true })
      expect(undone).toHaveBeenCalledTimes(2)
      fireEvent.keyDown(document.body, { key: 'z', code: 'KeyZ', altKey: true })
      expect(undone).toHaveBeenCalledTimes(2)
    })

    it('commit once after eight seconds', async () => {
      say('remove')
      await later(7_999)
      expect(committed).not.toHaveBeenCalled()
      await later(1)
      await later(20_000)
      expect(committed).toHaveBeenCalledOnce()
      expect(screen.queryByRole('status')).toBeNull()
    })

    it.each([
      ['closed', () => press('Close message')],
      ['dismissed', () => say('dismiss')],
      ['replaced by a newer toast of their subject', () => say('remove all')],
      ['left with the page', () => act(() => void window.dispatchEvent(new Event('pagehide')))],
      ['cut short by a log-out', () => act(finishPendingWork)],
    ])('commit once when they are %s', async (_way, end) => {
      say('remove')
      await end()
      window.dispatchEvent(new Event('pageshow'))
      expect(screen.queryByText('Removed')).toBeNull()
      expect(committed).toHaveBeenCalledOnce()
      expect(undone).not.toHaveBeenCalled()
    })

    it('outlast other toasts when there are too many', () => {
      for (const kind of ['remove', 'info', 'warning', 'error']) say(kind)
      expect(screen.queryByText('News')).toBeNull()
      expect(screen.getByText('Removed')).toBeDefined()
      expect(committed).not.toHaveBeenCalled()
    })
  })

  it('return the focus to where it was', () => {
    const button = screen.getByRole('button', { name: 'info' })
    button.focus()
    say('info')
    act(() => screen.getByRole('button', { name: 'Close message' }).focus())
    press('Close message')
    expect(document.activeElement).toBe(button)
  })
})
