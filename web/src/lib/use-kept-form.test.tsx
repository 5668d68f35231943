import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { aUser } from '../testing/fake-portal.ts'
import { draftKey, readDraft } from './drafts.ts'
import { endSession, startSession } from './session.ts'
import { useKeptForm } from './use-kept-form.ts'

const fields = z.object({ name: z.string(), code: z.string() }).partial()
const user = aUser()
const kept = () => readDraft(draftKey(user._id, 'program:new'), fields)

/** The form in one tab. */
const Form = ({ tab }: { readonly tab: string }) => {
  const form = useForm({ defaultValues: { name: '', code: '' } })
  useKeptForm(form, { name: 'program:new', fields })
  return (
    <>
      <input aria-label={`${tab} name`} {...form.register('name')} />
      <input aria-label={`${tab} code`} {...form.register('code')} />
    </>
  )
}
const type = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })

beforeEach(() => {
  localStorage.clear()
  startSession({ user, token: 'token-1' })
})
afterEach(() => {
  cleanup()
  endSession('logged-out')
})

it('keeps what was typed into the same form in two tabs', () => {
  const first = render(<Form tab="first" />)
  const second = render(<Form tab="second" />)
  type('first name', 'Robotics')
  type('second code', 'MIN-7')
  first.unmount()
  second.unmount()
  expect(kept()).toEqual({ name: 'Robotics', code: 'MIN-7' })

  const third = render(<Form tab="third" />)
  type('third name', '')
  third.unmount()
  expect(kept()).toEqual({ code: 'MIN-7' })
})
