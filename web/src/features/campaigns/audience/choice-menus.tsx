import { type Menus, kinds, togglesOf } from './audience-kinds.ts'
import { ChoiceMenu } from '../../../ui/choice-menu.tsx'
import type { Rule } from './rule.ts'

type ChoiceMenusProps = {
  /** Undefined until the choices are loaded. */
  readonly menus: Menus | undefined
  readonly rule: Rule
  readonly onChange: (rule: Rule) => void
}

/** A menu for each kind of conditions. */
export const ChoiceMenus = ({ menus, rule, onChange }: ChoiceMenusProps) => {
  const { programIds, paymentStatuses, semesters, installmentsDue, universityNames, roles } = rule
  const toggle = togglesOf(rule, onChange)
  return (
    <>
      <ChoiceMenu label={kinds.program} choices={menus?.program} chosen={programIds} onToggle={toggle.program} />
      <ChoiceMenu label={kinds.payment} choices={menus?.payment} chosen={paymentStatuses} onToggle={toggle.payment} />
      <ChoiceMenu label={kinds.semester} choices={menus?.semester} chosen={semesters} onToggle={toggle.semester} />
      <ChoiceMenu
        label={kinds.installment}
        choices={menus?.installment}
        chosen={installmentsDue}
        onToggle={toggle.installment}
      />
      <ChoiceMenu
        label={kinds.university}
        choices={menus?.university}
        chosen={universityNames}
        onToggle={toggle.university}
      />
      <ChoiceMenu label={kinds.role} choices={menus?.role} chosen={roles} onToggle={toggle.role} />
    </>
  )
}
