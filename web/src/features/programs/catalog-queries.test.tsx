import { fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { endSession } from '../../lib/session.ts'
import { aProgram, fakeCatalog } from '../../testing/fake-catalog.ts'
import { fakeServer } from '../../testing/fake-server.ts'
import { renderPages } from '../../testing/render-pages.tsx'
import { useEnrollments, usePrograms } from './catalog-queries.ts'
import { until } from '../../testing/until.ts'

const Offer = () => {
  const programs = usePrograms().state
  const enrollments = useEnrollments().state
  return (
    <>
      <p>
        {programs.kind === 'loaded' ? programs.data.map(({ programName }) => programName).join(', ') : programs.kind}
      </p>
      <p>{enrollments.kind === 'loaded' ? `Enrolled in ${enrollments.data.length}` : enrollments.kind}</p>
    </>
  )
}

describe('the programs of a visitor', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('[P-71] reload when the window regains the focus, and stay if that fails', async () => {
    endSession('logged-out')
    const catalog = fakeCatalog([aProgram(1)])
    const server = fakeServer()
    server.on('GET /allprograms', () => ({ status: 200, body: catalog.programs() }))
    const view = renderPages({ '/home': <Offer /> }, '/home')
    await screen.findByText('Minor 1')
    catalog.save(aProgram(2))
    fireEvent.focus(window)
    await screen.findByText('Minor 1, Minor 2')
    server.on('GET /allprograms', () => 'unreachable')
    fireEvent.focus(window)
    await until(() => expect(server.requestsTo('GET /allprograms')).toHaveLength(3))
    expect(screen.getByText('Minor 1, Minor 2')).toBeDefined()
    expect(screen.getByText('Enrolled in 0')).toBeDefined()
    expect(server.requestsTo('GET /user/my-programs')).toEqual([])
    view.unmount()
  })
})
