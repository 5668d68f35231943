import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { getAudienceChoices } from '@portal/contracts/notifications/http'
import { useState, type RefObject } from 'react'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { ToggleButton } from '../../../ui/toggle-button.tsx'
import { chipsOf, kinds, menusOf } from './audience-kinds.ts'
import { ChoiceMenus } from './choice-menus.tsx'
import { ContactsPanel } from './contacts-panel.tsx'
import { ConditionChips } from '../../../ui/condition-chips.tsx'
import { withCondition, withEveryone, type Rule } from './rule.ts'

const Kinds = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) }))

const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(3), minWidth: 0 }))

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
  const [isPasting, setPasting] = useState(false)
  const menus = state.kind === 'loaded' ? menusOf(state.data) : undefined
  const { contactList } = rule

  return (
    <Stack ref={ref}>
      <Kinds role="group" aria-label="Groups">
        <ToggleButton
          on={rule.everyone}
          data-kind={kinds.everyone}
          aria-pressed={rule.everyone}
          onClick={() => onChange(withEveryone(rule, !rule.everyone))}
        >
          <span>{kinds.everyone}</span>
        </ToggleButton>
        <ChoiceMenus menus={menus} rule={rule} onChange={onChange} />
        <ToggleButton
          on={contactList !== undefined}
          data-kind={kinds.contacts}
          aria-expanded={isPasting}
          onClick={() => setPasting(!isPasting)}
        >
          <span>{kinds.contacts}</span>
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
      <ConditionChips
        chips={chipsOf(rule, menus?.program, onChange)}
        onRemoved={(kind) => ref.current?.querySelector<HTMLElement>(`[data-kind="${kind}"]`)?.focus()}
      />
    </Stack>
  )
}
