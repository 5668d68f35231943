import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { notificationTypes } from '@portal/contracts/notifications/notification'
import { useEffect, useRef, useState } from 'react'
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

/** px. The strip fades out over this width. */
const fadeWidth = 24

/** Scrolls sideways on a phone: six types would fill three lines above the list. */
const Strip = styled('div')(({ theme }) => ({
  display: 'flex',
  gap: theme.spacing(2),
  overflowX: 'auto',
  scrollbarWidth: 'none',
  // Room for focus rings, which the scrolling area would clip.
  margin: theme.spacing(-1, 0, -1, -1),
  padding: theme.spacing(1, `${fadeWidth}px`, 1, 1),
  maskImage: `linear-gradient(to right, black calc(100% - ${fadeWidth}px), transparent)`,
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

/** A chosen type of the address may be outside the visible part of the strip. */
const useScrollToPressed = () => {
  const strip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = strip
    const pressed = [...(current?.querySelectorAll<HTMLElement>('[aria-pressed="true"]') ?? [])].at(-1)
    if (!current || !pressed) return
    const { right } = current.getBoundingClientRect()
    const hiddenWidth = pressed.getBoundingClientRect().right - right
    if (hiddenWidth > 0) current.scrollLeft += hiddenWidth + fadeWidth
  }, [])
  return strip
}

/** What the list shows: all or unread, some types, some words. Kept in the address. */
export const InboxFilterBar = ({ filter, showUnread, toggleType, clearSearch }: FilterBarProps) => {
  const { type: chosen = [], q = '' } = filter
  const [isOpened, setOpened] = useState(false)
  const isSearching = isOpened || q !== ''
  const strip = useScrollToPressed()
  // An open field has the key itself.
  useShortcuts(isSearching ? {} : { '/': () => setOpened(true) })
  const close = () => {
    setOpened(false)
    clearSearch()
  }
  return (
    <Bar>
      <Strip ref={strip} role="group" aria-label="Filter">
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
