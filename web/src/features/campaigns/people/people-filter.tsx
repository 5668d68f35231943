import { styled } from '@mui/material/styles'
import { getAudienceChoices } from '@portal/contracts/notifications/http'
import { useRef } from 'react'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { useSearchText } from '../../../lib/use-search-text.ts'
import { ListSearch } from '../../../ui/list-search.tsx'
import { chipsOf, menusOf } from '../audience/audience-kinds.ts'
import { ChoiceMenus } from '../audience/choice-menus.tsx'
import { RuleChips } from '../audience/rule-chips.tsx'
import type { Rule } from '../audience/rule.ts'

const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(3), marginBottom: theme.spacing(3) }))
const Kinds = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) }))

type PeopleFilterProps = {
  readonly rule: Rule
  /** The number of people that match; undefined while they load, and after a failure. */
  readonly found: number | undefined
  readonly onRule: (rule: Rule) => void
}

/** Search, and a menu for each kind of conditions. Without the choices, the menus stay disabled. */
export const PeopleFilter = ({ rule, found, onRule }: PeopleFilterProps) => {
  const [text, type] = useSearchText()
  const { state } = useRequestQuery({
    key: ['audience-choices'],
    request: (signal) => call(getAudienceChoices, { signal }),
  })
  const root = useRef<HTMLDivElement>(null)
  const menus = state.kind === 'loaded' ? menusOf(state.data) : undefined
  return (
    <Stack ref={root}>
      <ListSearch
        label="Search people"
        value={text}
        onChange={type}
        found={found}
        total={found ?? 0}
        noun={['person', 'people']}
      />
      <Kinds role="group" aria-label="Filter">
        <ChoiceMenus menus={menus} rule={rule} onChange={onRule} />
      </Kinds>
      <RuleChips
        chips={chipsOf(rule, menus?.program, onRule)}
        onRemoved={(kind) => root.current?.querySelector<HTMLElement>(`[data-kind="${kind}"]`)?.focus()}
      />
    </Stack>
  )
}
