import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { notificationTypes } from '@portal/contracts/notifications/notification'
import { useState } from 'react'
import { useSearchText } from '../../../lib/use-search-text.ts'
import { FilterChip } from '../../../ui/filter-chip.tsx'
import { CloseIcon, SearchIcon } from '../../../ui/icons.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import type { InboxPlaceControls } from '../use-inbox-place.ts'

const Bar = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: theme.spacing(2, 1),
  marginBottom: theme.spacing(3),
}))

/** Scrolls sideways on a phone: six types would fill three lines above the list. */
const Strip = styled('div')(({ theme }) => ({
  display: 'flex',
  gap: theme.spacing(2),
  overflowX: 'auto',
  scrollbarWidth: 'none',
  // Room for focus rings, which the scrolling area would clip.
  margin: theme.spacing(-1, 0, -1, -1),
  padding: theme.spacing(1, 6, 1, 1),
  maskImage: `linear-gradient(to right, black calc(100% - ${theme.spacing(6)}), transparent)`,
  '& button': { flex: 'none' },
}))

const Search = styled('div')({ gridColumn: '1 / -1' })

const views = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
] as const

const SearchLine = ({ isFocused }: { isFocused: boolean }) => {
  const [text, type] = useSearchText()
  return (
    <Search role="search">
      <SearchField label="Search notifications" value={text} onChange={type} autoFocus={isFocused} />
    </Search>
  )
}

/** What the list shows: all or unread, some types, some words. Kept in the address. */
export const InboxFilterBar = ({ filter, showUnread, toggleType, clearSearch }: FilterBarProps) => {
  const { type: chosen = [], q = '' } = filter
  const [isOpened, setOpened] = useState(false)
  const isSearching = isOpened || q !== ''
  // An open field has the key itself.
  useShortcuts(isSearching ? {} : { '/': () => setOpened(true) })
  const close = () => {
    setOpened(false)
    clearSearch()
  }
  return (
    <Bar>
      <Strip role="group" aria-label="Filter">
        <SegmentedControl
          label="Show"
          value={filter.filter ?? 'all'}
          options={views}
          onChange={(value) => showUnread(value === 'unread')}
        />
        {notificationTypes.map((type) => (
          <FilterChip key={type} isActive={chosen.includes(type)} onPress={() => toggleType(type)}>
            {type}
          </FilterChip>
        ))}
      </Strip>
      <IconButton
        aria-label={isSearching ? 'Close search' : 'Search notifications'}
        aria-expanded={isSearching}
        aria-keyshortcuts="/"
        onClick={isSearching ? close : () => setOpened(true)}
        edge="end"
      >
        {isSearching ? <CloseIcon size={20} /> : <SearchIcon size={20} />}
      </IconButton>
      {isSearching && <SearchLine isFocused={isOpened} />}
    </Bar>
  )
}

type FilterBarProps = Pick<InboxPlaceControls, 'filter' | 'showUnread' | 'toggleType' | 'clearSearch'>
