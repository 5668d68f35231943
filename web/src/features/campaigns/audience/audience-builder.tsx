import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { getAudienceChoices } from '@portal/contracts/notifications/http'
import type { z } from 'zod'
import { useState, type RefObject } from 'react'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { roleName } from '../../../ui/role-name.ts'
import { ToggleButton } from '../../../ui/toggle-button.tsx'
import { formatCount } from '../progress.ts'
import { ChoiceMenu, type Choice } from './choice-menu.tsx'
import { ContactsPanel } from './contacts-panel.tsx'
import { RuleChips, type RuleChip } from './rule-chips.tsx'
import { toggleEntry, withCondition, withEveryone, type Rule } from './rule.ts'

const Kinds = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) }))

const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(3), minWidth: 0 }))

type Choices = z.output<(typeof getAudienceChoices)['response']>

const programChoices = ({ programs }: Choices) =>
  programs.map(({ programId, name, count }) => ({ value: programId, label: name, count }))
const paymentChoices = ({ paymentStatuses }: Choices) =>
  paymentStatuses.map(({ paymentStatus, count }) => ({ value: paymentStatus, label: paymentStatus, count }))
const universityChoices = ({ universities }: Choices) =>
  universities.map(({ name, count }) => ({ value: name, label: name, count }))
const roleChoices = ({ roles }: Choices) =>
  roles.map(({ role, count }) => ({ value: role, label: roleName(role), count }))

const labelOf = <Value extends string>(choices: readonly Choice<Value>[] | undefined, value: Value): string =>
  choices?.find((choice) => choice.value === value)?.label ?? value

const kinds = {
  everyone: 'Everyone',
  program: 'Program',
  payment: 'Payment',
  university: 'University',
  role: 'Role',
  contacts: 'Paste or CSV',
} as const

type AudienceBuilderProps = {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly rule: Rule
  readonly onChange: (rule: Rule) => void
}

/** Chooses groups of recipients. The entries of one kind are alternatives; people must match every kind. */
export const AudienceBuilder = ({ ref, rule, onChange }: AudienceBuilderProps) => {
  const { state, reload } = useRequestQuery({
    key: ['audience-choices'],
    request: (signal) => call(getAudienceChoices, { signal }),
  })
  const loaded = state.kind === 'loaded' ? state.data : undefined
  const [isPasting, setPasting] = useState(false)

  const { programIds, paymentStatuses, universityNames, roles, contactList, unreadOf } = rule
  const programs = loaded && programChoices(loaded)
  const toggle = {
    program: (id: (typeof programIds)[number]) =>
      onChange(withCondition(rule, { programIds: toggleEntry(programIds, id) })),
    payment: (status: (typeof paymentStatuses)[number]) =>
      onChange(withCondition(rule, { paymentStatuses: toggleEntry(paymentStatuses, status) })),
    university: (name: string) =>
      onChange(withCondition(rule, { universityNames: toggleEntry(universityNames, name) })),
    role: (role: (typeof roles)[number]) => onChange(withCondition(rule, { roles: toggleEntry(roles, role) })),
  }
  const chip = <Value extends string>(kind: string, value: Value, text: string, remove: (value: Value) => void) => ({
    key: `${kind} ${value}`,
    kind,
    text,
    remove: () => remove(value),
  })
  const chips: RuleChip[] = [
    ...programIds.map((id) => chip(kinds.program, id, labelOf(programs, id), toggle.program)),
    ...paymentStatuses.map((status) => chip(kinds.payment, status, `Payment ${status.toLowerCase()}`, toggle.payment)),
    ...universityNames.map((name) => chip(kinds.university, name, name, toggle.university)),
    ...roles.map((role) => chip(kinds.role, role, roleName(role), toggle.role)),
  ]
  if (contactList)
    chips.push(
      chip(kinds.contacts, 'list', `${formatCount(contactList.contacts.length)} from ${contactList.source}`, () =>
        onChange(withCondition(rule, { contactList: undefined })),
      ),
    )
  if (unreadOf)
    chips.push(
      chip(kinds.everyone, unreadOf.id, `who have not read “${unreadOf.title}”`, () =>
        onChange(withCondition(rule, { unreadOf: undefined })),
      ),
    )

  return (
    <Stack ref={ref}>
      <Kinds role="group" aria-label="Groups">
        <ToggleButton
          on={rule.everyone}
          data-kind={kinds.everyone}
          aria-pressed={rule.everyone}
          onClick={() => onChange(withEveryone(rule, !rule.everyone))}
        >
          {kinds.everyone}
        </ToggleButton>
        <ChoiceMenu label={kinds.program} choices={programs} chosen={programIds} onToggle={toggle.program} />
        <ChoiceMenu
          label={kinds.payment}
          choices={loaded && paymentChoices(loaded)}
          chosen={paymentStatuses}
          onToggle={toggle.payment}
        />
        <ChoiceMenu
          label={kinds.university}
          choices={loaded && universityChoices(loaded)}
          chosen={universityNames}
          onToggle={toggle.university}
        />
        <ChoiceMenu label={kinds.role} choices={loaded && roleChoices(loaded)} chosen={roles} onToggle={toggle.role} />
        <ToggleButton
          on={contactList !== undefined}
          data-kind={kinds.contacts}
          aria-expanded={isPasting}
          onClick={() => setPasting(!isPasting)}
        >
          {kinds.contacts}
        </ToggleButton>
      </Kinds>
      {state.kind === 'failed' && (
        <Typography variant="body2" color="error" role="alert">
          The groups could not be loaded.{' '}
          <Button variant="text" color="secondary" size="small" onClick={() => void reload()}>
            Load groups again
          </Button>
        </Typography>
      )}
      {isPasting && <ContactsPanel onList={(list) => onChange(withCondition(rule, { contactList: list }))} />}
      <RuleChips
        chips={chips}
        onRemoved={(kind) => ref.current?.querySelector<HTMLElement>(`[data-kind="${kind}"]`)?.focus()}
      />
    </Stack>
  )
}
