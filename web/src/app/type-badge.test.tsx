import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { renderPages } from '../testing/render-pages.tsx'
import { insertAllStyles } from '../testing/styles.tsx'
import { TypeBadge } from '../ui/type-badge.tsx'
import { light } from './theme/tokens.ts'

const show = (type: string) => renderPages({ '/': <TypeBadge type={type} /> }, '/')

describe('the badge of a notification', () => {
  afterEach(cleanup)

  it.each([
    ['Fee Payment Reminder', 'red'],
    ['New Course Announcement', 'green'],
    ['Assignment', 'yellow'],
    ['Exam', 'purple'],
    ['System Maintenance', 'blue'],
    ['General', 'blue'],
    ['Something else', 'blue'],
  ] as const)('[N-12] of the type %s is %s', (type, tone) => {
    insertAllStyles()
    show(type)
    const { color, backgroundColor } = getComputedStyle(screen.getByText(type))
    expect({ color, backgroundColor }).toEqual({
      color: light.tones[tone].text,
      backgroundColor: light.tones[tone].background,
    })
  })

  it('[N-11] shows General without a type', () => {
    show('')
    expect(screen.getByText('General')).toBeDefined()
  })
})
