import { semesterName } from '@portal/contracts/catalog/enrollment'
import type { getAudienceChoices } from '@portal/contracts/notifications/http'
import type { z } from 'zod'
import { roleName } from '../../../ui/role-name.ts'
import { formatCount } from '../progress.ts'
import type { Choice } from '../../../ui/choice-menu.tsx'
import type { ConditionChip } from '../../../ui/condition-chips.tsx'
import { toggleEntry } from '../../../lib/toggle-entry.ts'
import { withCondition, type Rule } from './rule.ts'

type AudienceChoices = z.output<(typeof getAudienceChoices)['response']>

/** The texts of the buttons. */
export const kinds = {
  everyone: 'Everyone',
  program: 'Program',
  payment: 'Payment',
  semester: 'Semester',
  installment: 'Installment due',
  university: 'University',
  role: 'Role',
  contacts: 'Paste or CSV',
} as const

/** The entries of each menu. */
export const menusOf = (choices: AudienceChoices) => {
  const { programs, paymentStatuses, semesters = [], installmentsDue = [], universities, roles } = choices
  return {
    program: programs.map(({ programId, name, count }) => ({ value: programId, label: name, count })),
    payment: paymentStatuses.map(({ paymentStatus, count }) => ({ value: paymentStatus, label: paymentStatus, count })),
    semester: semesters.map(({ semester, count }) => ({ value: semester, label: semesterName(semester), count })),
    installment: installmentsDue.map(({ installment, count }) => ({
      value: installment,
      label: `Installment ${installment}`,
      count,
    })),
    university: universities.map(({ name, count }) => ({ value: name, label: name, count })),
    role: roles.map(({ role, count }) => ({ value: role, label: roleName(role), count })),
  }
}

export type Menus = ReturnType<typeof menusOf>

/** Adds an entry to the rule, or removes it. */
export const togglesOf = (rule: Rule, onChange: (rule: Rule) => void) => ({
  program: (id: Rule['programIds'][number]) =>
    onChange(withCondition(rule, { programIds: toggleEntry(rule.programIds, id) })),
  payment: (status: Rule['paymentStatuses'][number]) =>
    onChange(withCondition(rule, { paymentStatuses: toggleEntry(rule.paymentStatuses, status) })),
  semester: (semester: number) => onChange(withCondition(rule, { semesters: toggleEntry(rule.semesters, semester) })),
  installment: (installment: number) =>
    onChange(withCondition(rule, { installmentsDue: toggleEntry(rule.installmentsDue, installment) })),
  university: (name: string) =>
    onChange(withCondition(rule, { universityNames: toggleEntry(rule.universityNames, name) })),
  role: (role: Rule['roles'][number]) => onChange(withCondition(rule, { roles: toggleEntry(rule.roles, role) })),
})

const chipsFor = <Value extends string | number>(
  kind: string,
  values: readonly Value[],
  textOf: (value: Value) => string,
  remove: (value: Value) => void,
): readonly ConditionChip[] =>
  values.map((value) => ({ key: `${kind} ${value}`, kind, text: textOf(value), remove: () => remove(value) }))

/** One chip per condition. A program that is not loaded yet shows its id. */
export const chipsOf = (
  rule: Rule,
  programs: readonly Choice<Rule['programIds'][number]>[] | undefined,
  onChange: (rule: Rule) => void,
): readonly ConditionChip[] => {
  const { programIds, paymentStatuses, semesters, installmentsDue, universityNames, roles, contactList, unreadOf } =
    rule
  const toggle = togglesOf(rule, onChange)
  const programName = (id: string) => programs?.find(({ value }) => value === id)?.label ?? id
  const withoutList = () => onChange(withCondition(rule, { contactList: undefined }))
  const withoutReminder = () => onChange(withCondition(rule, { unreadOf: undefined }))
  return [
    ...chipsFor(kinds.program, programIds, programName, toggle.program),
    ...chipsFor(kinds.payment, paymentStatuses, (status) => `Payment ${status.toLowerCase()}`, toggle.payment),
    ...chipsFor(kinds.semester, semesters, semesterName, toggle.semester),
    ...chipsFor(kinds.installment, installmentsDue, (number) => `Installment ${number} due`, toggle.installment),
    ...chipsFor(kinds.university, universityNames, (name) => name, toggle.university),
    ...chipsFor(kinds.role, roles, roleName, toggle.role),
    ...chipsFor(
      kinds.contacts,
      contactList ? [`${formatCount(contactList.contacts.length)} from ${contactList.source}`] : [],
      (text) => text,
      withoutList,
    ),
    ...chipsFor(
      kinds.everyone,
      unreadOf ? [`who have not read “${unreadOf.title}”`] : [],
      (text) => text,
      withoutReminder,
    ),
  ]
}
