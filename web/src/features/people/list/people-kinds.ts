import { roles } from '@portal/contracts/auth/user'
import { paymentStatusSchema } from '@portal/contracts/catalog/enrollment'
import type { getAudienceChoices } from '@portal/contracts/notifications/http'
import { type AccountState, accountStates } from '@portal/contracts/notifications/people'
import type { z } from 'zod'
import { toggleEntry } from '../../../lib/toggle-entry.ts'
import type { Choice } from '../../../ui/choice-menu.tsx'
import type { ConditionChip } from '../../../ui/condition-chips.tsx'
import { roleName } from '../../../ui/role-name.ts'
import type { PeopleConditions } from './people-query.ts'

export const stateNames: Readonly<Record<AccountState, string>> = { active: 'Active', deactivated: 'Deactivated' }

type Choices = Pick<z.output<(typeof getAudienceChoices)['response']>, 'programs' | 'universities'>

/** A kind of conditions: its button, its entries and what it changes. */
export type PeopleKind = {
  readonly label: string
  /** Undefined until they are loaded. */
  readonly choices: readonly Choice<string>[] | undefined
  readonly chosen: readonly string[]
  readonly toggle: (value: string) => void
}

type KindOf<Value extends string> = {
  readonly label: string
  readonly choices: readonly Choice<Value>[] | undefined
  readonly chosen: readonly Value[]
  readonly change: (chosen: readonly Value[]) => void
}

/** A chosen value that is not among the choices can only be removed. */
const kindOf = <Value extends string>({ label, choices, chosen, change }: KindOf<Value>): PeopleKind => ({
  label,
  choices,
  chosen,
  toggle: (given) => {
    const value = [...chosen, ...(choices ?? []).map((choice) => choice.value)].find((one) => one === given)
    if (value !== undefined) change(toggleEntry(chosen, value))
  },
})

const choicesOf = <Value extends string>(values: readonly Value[], label: (value: Value) => string) =>
  values.map((value) => ({ value, label: label(value) }))

export const peopleKinds = (
  conditions: PeopleConditions,
  loaded: Choices | undefined,
  onChange: (conditions: PeopleConditions) => void,
): readonly PeopleKind[] => [
  kindOf({
    label: 'Program',
    choices: loaded?.programs.map(({ programId, name }) => ({ value: programId, label: name })),
    chosen: conditions.programId,
    change: (programId) => onChange({ ...conditions, programId }),
  }),
  kindOf({
    label: 'Payment',
    choices: choicesOf(paymentStatusSchema.options, (status) => status),
    chosen: conditions.paymentStatus,
    change: (paymentStatus) => onChange({ ...conditions, paymentStatus }),
  }),
  kindOf({
    label: 'University',
    choices: loaded?.universities.map(({ name }) => ({ value: name, label: name })),
    chosen: conditions.universityName,
    change: (universityName) => onChange({ ...conditions, universityName }),
  }),
  kindOf({
    label: 'Role',
    choices: choicesOf(roles, roleName),
    chosen: conditions.role,
    change: (role) => onChange({ ...conditions, role }),
  }),
  kindOf({
    label: 'State',
    choices: choicesOf(accountStates, (state) => stateNames[state]),
    chosen: conditions.state,
    change: (state) => onChange({ ...conditions, state }),
  }),
]

/** One chip per condition. A program that is not loaded yet shows its id. */
export const chipsOf = (kinds: readonly PeopleKind[]): readonly ConditionChip[] =>
  kinds.flatMap(({ label: kind, choices, chosen, toggle }) =>
    chosen.map((value) => {
      const label = choices?.find((choice) => choice.value === value)?.label ?? value
      const text = kind === 'Payment' ? `Payment ${label.toLowerCase()}` : label
      return { key: `${kind} ${value}`, kind, text, remove: () => toggle(value) }
    }),
  )
