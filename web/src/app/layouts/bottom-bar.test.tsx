import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { renderPages } from '../../testing/render-pages.tsx'
import { BottomBar } from './bottom-bar.tsx'

const open = (path: string) => renderPages({ [path]: <BottomBar /> }, path)
const links = () => within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link')

describe("the learners' navigation", () => {
  afterEach(cleanup)

  it('leads to the four parts', () => {
    open('/home')
    expect(links().map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Home', '/home'],
      ['My Program', '/my-program'],
      ['Notification', '/notification'],
      ['Profile', '/profile'],
    ])
  })

  it.each([
    ['/home', ['Home']],
    ['/my-program', ['My Program']],
    ['/program-details-active/1', ['My Program']],
    ['/program-details-inactives/1', ['My Program']],
    ['/notification', ['Notification']],
    ['/notification/1', ['Notification']],
    ['/profile', ['Profile']],
    ['/edit-profile', ['Profile']],
    ['/payment', []],
  ])('marks, at %s, %j', (path, active) => {
    open(path)
    const current = links().filter((link) => link.getAttribute('aria-current') === 'page')
    expect(current.map(({ textContent }) => textContent)).toEqual(active)
  })
})
