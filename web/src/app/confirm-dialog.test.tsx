import { cleanup, screen } from '@testing-library/react'
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

describe('a question before something that cannot be taken back', () => {
  let clock: ReturnType<typeof fakeClock>
  beforeEach(() => {
    clock = fakeClock()
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('says what it said until it is gone', async () => {
    renderPages({ '/': <Asking /> }, '/')
    await clock.user.click(screen.getByRole('button', { name: 'Delete' }))
    await clock.advance(500)
    await clock.user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByText('Hill University will no longer be offered.')).toBeDefined()
    await clock.advance(500)
    expect(screen.queryByText('Hill University will no longer be offered.')).toBeNull()
  })
})
