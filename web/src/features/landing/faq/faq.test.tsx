import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { renderPages } from '../../../testing/render-pages.tsx'
import { categories } from './content.ts'
import { Faq } from './faq.tsx'

const show = () => {
  renderPages({ '/': <Faq /> }, '/')
  return userEvent.setup()
}
const category = (name: string) => screen.getByRole('button', { name })
const question = (name: string) => screen.getByRole('button', { name })
const isOpen = (button: HTMLElement) => button.getAttribute('aria-expanded') === 'true'
const openOnes = () => {
  const questions = new Set(categories.flatMap((each) => each.questions.map((asked) => asked.question)))
  return screen.getAllByRole('button', { expanded: true }).filter((button) => questions.has(button.textContent))
}

describe('the frequently asked questions', () => {
  afterEach(cleanup)

  it('[H-32] expand and collapse by category, also with the keyboard', async () => {
    const user = show()
    expect(screen.queryByRole('button', { name: 'What does it cost?' })).toBeNull()
    await user.click(category('Fees'))
    expect(isOpen(category('Fees'))).toBe(true)
    expect(question('What does it cost?')).not.toBeNull()
    await user.click(category('Fees'))
    expect(screen.queryByRole('button', { name: 'What does it cost?' })).toBeNull()

    category('Fees').focus()
    await user.keyboard('{Enter}')
    await user.tab()
    await user.keyboard(' ')
    expect(isOpen(question('What does it cost?'))).toBe(true)
  })

  it('[H-10 H-33] show one answer at a time, across categories', async () => {
    const user = show()
    await user.click(category('Fees'))
    await user.click(question('Which Minors can I choose from?'))
    await user.click(question('What does it cost?'))
    expect(openOnes().map((button) => button.textContent)).toEqual(['What does it cost?'])
    const answer = screen.getByRole('region', { name: 'What does it cost?' })
    expect(answer.textContent).toBe('The total fee is ₹45,000 in three installments of ₹15,000.')
    await user.click(question('What does it cost?'))
    expect(openOnes()).toEqual([])
  })

  it('[H-34] expand all categories for a search, highlight the matches or show a text without any, and return', async () => {
    const user = show()
    await user.type(screen.getByRole('searchbox', { name: 'Search the questions' }), 'Hostel')
    expect(isOpen(category('Fees'))).toBe(true)
    expect(isOpen(category('Campus and career'))).toBe(true)
    expect(screen.queryByRole('button', { name: 'The program' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'What does it cost?' })).toBeNull()
    const answer = screen.getByRole('region', { name: 'What does the campus immersion cost?' })
    expect(answer.querySelector('mark')?.textContent).toBe('Hostel')
    expect(screen.getByRole('status').textContent).toBe('2 questions found')

    await user.clear(screen.getByRole('searchbox'))
    await user.type(screen.getByRole('searchbox'), 'zebra')
    expect(screen.getByText('No questions match “zebra”.')).not.toBeNull()
    expect(screen.getByRole('status').textContent).toBe('0 questions found')
    await user.click(screen.getByRole('button', { name: 'Show all questions' }))
    for (const { name } of categories) expect(category(name)).not.toBeNull()
    expect(within(screen.getByRole('region', { name: 'The program' })).getAllByRole('button')).toHaveLength(3)
  })
})
