import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { renderPages } from '../testing/render-pages.tsx'
import { insertAllStyles } from '../testing/styles.tsx'
import { TypeBadge } from '../ui/type-badge.tsx'
import { light } from './theme/tokens.ts'

const show = (type: string) => renderPages({ '/': <TypeBadge type={type} /> }, '/')

describe('the badge of a notification', () => {
  afterEach(cleanup)

  it('[N-11 N-12] has the color of its type, and is General without one', () => {
    insertAllStyles()
    for (const [type, tone] of [
      ['Fee Payment Reminder', 'red'],
      ['New Course Announcement', 'green'],
      ['Assignment', 'yellow'],
      ['Exam', 'purple'],
      ['System Maintenance', 'blue'],
      ['General', 'blue'],
      ['Something else', 'blue'],
    ] as const) {
      show(type)
      const { color, backgroundColor } = getComputedStyle(screen.getByText(type))
      const { text, background } = light.tones[tone]
      expect({ type, color, backgroundColor }).toEqual({ type, color: text, backgroundColor: background })
      cleanup()
    }
    show('')
    expect(screen.getByText('General')).toBeDefined()
  })
})
