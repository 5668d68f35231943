import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPages } from '../testing/render-pages.tsx'
import { fakeClock } from '../testing/fake-clock.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

const Asking = () => {
  const [item, setItem] = useState<string>()
  return (
    <>
      <button onClick={() => setItem('Hill University')}>Delete</button>
      <ConfirmDialog
        open={item !== undefined}
        question="Are you sure?"
        consequence={item && `${item} will no longer be offered.`}
        confirmText="Yes"
        onConfirm={() => setItem(undefined)}
        onCancel={() => setItem(undefined)}
      />
    </>
  )
}

describe('the confirm dialog', () => {
  let clock: ReturnType<typeof fakeClock>
  beforeEach(() => {
    clock = fakeClock()
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('keeps its texts until it has closed', async () => {
    renderPages({ '/': <Asking /> }, '/')
    await clock.user.click(screen.getByRole('button', { name: 'Delete' }))
    await clock.advance(500)
    await clock.user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByText('Hill University will no longer be offered.')).toBeDefined()
    await clock.advance(500)
    expect(screen.queryByText('Hill University will no longer be offered.')).toBeNull()
  })
  it('stays open after a double click on what opens it, and closes with a click beside it', async () => {
    renderPages({ '/': <Asking /> }, '/')
    await clock.user.click(screen.getByRole('button', { name: 'Delete' }))
    const beside = screen.getByRole('dialog').parentElement ?? document.body
    const clickBeside = async (detail: number) => {
      fireEvent.mouseDown(beside)
      fireEvent.click(beside, { detail })
      await clock.advance(500)
    }
    await clickBeside(2)
    expect(screen.getByRole('dialog')).toBeDefined()
    await clickBeside(1)
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
