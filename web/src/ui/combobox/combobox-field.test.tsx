import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { renderPages } from '../../testing/render-pages.tsx'
import { ComboboxField } from './combobox-field.tsx'

const towns = ['Agra', 'Bhopal', 'New Delhi', 'Old Delhi', 'Mysuru']

const Form = ({ options, onSubmit }: { options: readonly string[]; onSubmit: () => void }) => {
  const [town, setTown] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <ComboboxField
        label="Town"
        value={town}
        options={options}
        onChange={setTown}
        noun={['town', 'towns']}
        footer={<a href="mailto:towns@example.org">Not listed?</a>}
      />
      <strong>{town}</strong>
      <button type="submit">Save</button>
    </form>
  )
}

const show = (options = towns) => {
  const submitted: string[] = []
  renderPages({ '/': <Form options={options} onSubmit={() => submitted.push('submitted')} /> }, '/')
  return { user: userEvent.setup(), submitted }
}
const box = () => screen.getByRole('combobox', { name: 'Town' })
const rows = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const chosen = () => document.querySelector('strong')?.textContent
const activeRow = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent

describe('a combobox', () => {
  afterEach(cleanup)

  it('is chosen from with the keyboard alone', async () => {
    const { user, submitted } = show()
    await user.tab()
    expect(document.activeElement).toBe(box())
    expect(rows()).toEqual([])
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(box().getAttribute('aria-expanded')).toBe('true')
    expect([rows(), activeRow()]).toEqual([towns, 'Agra'])
    await user.keyboard('{ArrowUp}')
    expect(activeRow()).toBe('Mysuru')
    await user.keyboard('{Enter}')
    expect([chosen(), rows(), submitted]).toEqual(['Mysuru', [], []])
    expect(box()).toHaveProperty('value', 'Mysuru')
    await user.keyboard('{Enter}')
    expect(submitted).toEqual(['submitted'])
  })

  it('finds words in any order, says how many, and chooses the best match by Enter', async () => {
    const { user } = show()
    await user.type(box(), 'delhi')
    expect(rows()).toEqual(['New Delhi', 'Old Delhi'])
    expect(screen.getByRole('status').textContent).toBe('2 towns')
    await user.type(box(), ' old')
    expect([rows(), activeRow()]).toEqual([['Old Delhi'], 'Old Delhi'])
    await user.keyboard('{Enter}')
    expect(chosen()).toBe('Old Delhi')
  })

  it('is chosen from with a pointer, and opens again with all options', async () => {
    const { user } = show()
    await user.click(box())
    await user.click(screen.getByRole('option', { name: 'Bhopal' }))
    expect([chosen(), rows()]).toEqual(['Bhopal', []])
    await user.click(box())
    expect([rows(), activeRow()]).toEqual([towns, 'Bhopal'])
    expect(screen.getByRole('option', { selected: true }).textContent).toBe('Bhopal')
  })

  it('keeps its value on Escape, and on leaving with a text that matches several or no options', async () => {
    const { user } = show()
    await user.type(box(), 'agra{Enter}')
    await user.type(box(), 'x')
    expect(screen.getByText('No town matches “x”.')).toBeDefined()
    await user.keyboard('{Escape}')
    expect([chosen(), rows(), document.activeElement]).toEqual(['Agra', [], box()])
    expect(box()).toHaveProperty('value', 'Agra')
    await user.type(box(), 'delhi')
    await user.click(document.body)
    expect([chosen(), rows()]).toEqual(['Agra', []])
    expect(box()).toHaveProperty('value', 'Agra')
  })

  it('chooses the only match when it is left, and nothing when it was emptied', async () => {
    const { user } = show()
    await user.type(box(), 'mys')
    await user.click(document.body)
    expect(chosen()).toBe('Mysuru')
    await user.clear(box())
    await user.click(document.body)
    expect(chosen()).toBe('')
  })

  it('reaches the link below the options by Tab', async () => {
    const { user } = show()
    await user.type(box(), 'zzz')
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Not listed?' }))
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(box())
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('shows the first 50 of many options, and says so', async () => {
    const { user } = show(Array.from({ length: 116 }, (_, n) => `Town ${n + 1}`))
    await user.click(box())
    expect(rows()).toHaveLength(50)
    expect(screen.getByText('The first 50 of 116. Type to find others.')).toBeDefined()
    await user.type(box(), '116')
    expect(rows()).toEqual(['Town 116'])
  })
})
