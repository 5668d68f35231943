import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { notificationTypes, type NotificationType } from '@portal/contracts/notifications/notification'
import { lazy, Suspense, useRef, useState } from 'react'
import { loadInBackground } from '../../../lib/load-module.ts'
import { whenIdle } from '../../../lib/when-idle.ts'
import { FilterChip } from '../../../ui/filter-chip.tsx'
import { ChevronDownIcon, CloseIcon, SearchIcon } from '../../../ui/icons.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { ToggleButton } from '../../../ui/toggle-button.tsx'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import type { InboxPlaceControls } from '../use-inbox-place.ts'

const Bar = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: theme.spacing(2, 1),
  marginBottom: theme.spacing(3),
}))

const Controls = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) }))

/** Types wrap into lines. If they scrolled sideways, active ones would be out of sight, and a mouse wheel could not reach them. */
const Types = styled(Controls)({ gridColumn: '1 / -1' })

/** The place of the search, as high as its field, which may still be loading. */
const Search = styled('div')({ gridColumn: '1 / -1', minHeight: 48 })

const views = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
] as const

/** Loaded after the first notifications, which would otherwise wait for 9 kB more. */
const InboxSearch = lazy(async () => {
  await whenIdle()
  const { InboxSearch: Loaded } = await loadInBackground(() => import('./inbox-search.tsx'))
  return { default: Loaded }
})

type TypeFilterProps = {
  readonly chosen: readonly NotificationType[]
  readonly isOpen: boolean
  readonly onPress: (type: NotificationType) => void
}

/** All types, or only the active ones, of which each is switched off here. */
const TypeFilter = ({ chosen, isOpen, onPress }: TypeFilterProps) => {
  const shown = isOpen ? notificationTypes : notificationTypes.filter((type) => chosen.includes(type))
  if (shown.length === 0) return null
  return (
    <Types role="group" aria-label="Types">
      {shown.map((type) => (
        <FilterChip key={type} isActive={chosen.includes(type)} onPress={() => onPress(type)}>
          {type}
        </FilterChip>
      ))}
    </Types>
  )
}

/** What the list shows: all or unread, some types, some words. Kept in the address. What is active is always visible. */
export const InboxFilterBar = ({ filter, showUnread, toggleType, clearSearch }: FilterBarProps) => {
  const { type: chosen = [], q = '' } = filter
  const [isSearchOpen, setSearchOpen] = useState(false)
  const [areTypesOpen, setTypesOpen] = useState(false)
  const typesButton = useRef<HTMLButtonElement>(null)
  const isSearching = isSearchOpen || q !== ''
  // An open field has the key itself.
  useShortcuts(isSearching ? {} : { '/': () => setSearchOpen(true) })
  const closeSearch = () => {
    setSearchOpen(false)
    clearSearch()
  }
  const pressType = (type: NotificationType) => {
    toggleType(type)
    // The pressed chip disappears.
    if (!areTypesOpen) typesButton.current?.focus()
  }
  return (
    <Bar role="group" aria-label="Filter">
      <Controls>
        <SegmentedControl
          label="Show"
          value={filter.filter ?? 'all'}
          options={views}
          onChange={(value) => showUnread(value === 'unread')}
        />
        <ToggleButton
          ref={typesButton}
          on={false}
          aria-expanded={areTypesOpen}
          onClick={() => setTypesOpen(!areTypesOpen)}
        >
          <span>Types</span>
          <ChevronDownIcon size={16} />
        </ToggleButton>
      </Controls>
      <IconButton
        aria-label={isSearching ? 'Close search' : 'Search notifications'}
        aria-expanded={isSearching}
        aria-keyshortcuts="/"
        onClick={isSearching ? closeSearch : () => setSearchOpen(true)}
        edge="end"
      >
        {isSearching ? <CloseIcon size={20} /> : <SearchIcon size={20} />}
      </IconButton>
      <TypeFilter chosen={chosen} isOpen={areTypesOpen} onPress={pressType} />
      <Search role="search" hidden={!isSearching}>
        <Suspense>
          <InboxSearch isOpen={isSearching} isFocused={isSearchOpen} />
        </Suspense>
      </Search>
    </Bar>
  )
}

type FilterBarProps = Pick<InboxPlaceControls, 'filter' | 'showUnread' | 'toggleType' | 'clearSearch'>
