import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { DateField } from '../ui/date-field.tsx'
import { PasswordField, TextField } from '../ui/text-field.tsx'
import { AppProviders } from './providers/app-providers.tsx'

afterEach(cleanup)

const attributesOf = (label: string) =>
  Object.fromEntries([...screen.getByLabelText(label).attributes].map(({ name, value }) => [name, value]))

describe('[E6] a field passes its hints for keyboards to the input, not to the frame around it', () => {
  it.each([
    ['a line', <TextField key="" label="Field" inputMode="numeric" autoCapitalize="none" spellCheck={false} />],
    [
      'several lines',
      <TextField key="" label="Field" multiline inputMode="numeric" autoCapitalize="none" spellCheck={false} />,
    ],
  ])('%s', (_, field) => {
    const { container } = render(<AppProviders>{field}</AppProviders>)
    expect(attributesOf('Field')).toMatchObject({ inputmode: 'numeric', autocapitalize: 'none', spellcheck: 'false' })
    expect(container.querySelectorAll('[inputmode], [autocapitalize], [spellcheck]')).toHaveLength(1)
  })

  it('a password', () => {
    render(
      <AppProviders>
        <PasswordField label="Password" />
      </AppProviders>,
    )
    expect(attributesOf('Password')).toMatchObject({ autocapitalize: 'none', spellcheck: 'false' })
  })
})

describe('[E5] a date field', () => {
  const reported: string[] = []
  const Field = ({ onlyFrom = '' }) => {
    const [value, setValue] = useState(onlyFrom)
    const change = (date: string) => {
      reported.push(date)
      setValue(date)
    }
    return (
      <AppProviders>
        <DateField label="From" value={value} onChange={change} />
        <button type="button" onClick={() => setValue('')}>
          Clear
        </button>
      </AppProviders>
    )
  }
  const field = () => screen.getByLabelText<HTMLInputElement>('From')
  const type = (date: string) => fireEvent.change(field(), { target: { value: date } })

  it('stays as typed until the year is whole, and then reports it once', () => {
    reported.length = 0
    render(<Field />)
    for (const date of ['0002-05-01', '0020-05-01', '0202-05-01', '2026-05-01']) {
      type(date)
      expect(field().value).toBe(date)
    }
    expect(reported).toEqual(['2026-05-01'])
  })

  it('reports an emptied field, and is emptied from elsewhere', () => {
    reported.length = 0
    render(<Field onlyFrom="2026-05-01" />)
    type('')
    expect(reported).toEqual([''])
    type('2026-05-02')
    fireEvent.click(screen.getByText('Clear'))
    expect(field().value).toBe('')
  })
})
