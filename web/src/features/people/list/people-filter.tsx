import { styled } from '@mui/material/styles'
import { getAudienceChoices } from '@portal/contracts/notifications/http'
import { useRef } from 'react'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { useSearchText } from '../../../lib/use-search-text.ts'
import { ChoiceMenu } from '../../../ui/choice-menu.tsx'
import { ConditionChips } from '../../../ui/condition-chips.tsx'
import { ListSearch } from '../../../ui/list-search.tsx'
import { chipsOf, peopleKinds } from './people-kinds.ts'
import type { PeopleConditions } from './people-query.ts'

const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(3), marginBottom: theme.spacing(3) }))
const Kinds = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) }))

type PeopleFilterProps = {
  readonly conditions: PeopleConditions
  /** The number of users that match; undefined while they load, and after a failure. */
  readonly found: number | undefined
  readonly onChange: (conditions: PeopleConditions) => void
}

/** Search, and a menu for each kind of conditions. Menus without their choices stay disabled. */
export const PeopleFilter = ({ conditions, found, onChange }: PeopleFilterProps) => {
  const [text, type] = useSearchText()
  const { state } = useRequestQuery({
    key: ['audience-choices'],
    request: (signal) => call(getAudienceChoices, { signal }),
  })
  const root = useRef<HTMLDivElement>(null)
  const kinds = peopleKinds(conditions, state.kind === 'loaded' ? state.data : undefined, onChange)
  return (
    <Stack ref={root}>
      <ListSearch
        label="Search users"
        value={text}
        onChange={type}
        found={found}
        total={found ?? 0}
        noun={['user', 'users']}
      />
      <Kinds role="group" aria-label="Filter">
        {kinds.map(({ label, choices, chosen, toggle }) => (
          <ChoiceMenu key={label} label={label} choices={choices} chosen={chosen} onToggle={toggle} />
        ))}
      </Kinds>
      <ConditionChips
        chips={chipsOf(kinds)}
        onRemoved={(kind) => root.current?.querySelector<HTMLElement>(`[data-kind="${kind}"]`)?.focus()}
      />
    </Stack>
  )
}
