import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { Pagination } from '@portal/contracts/shared/page'
import type { ReactNode, Ref } from 'react'
import { CheckBox } from '../../../ui/check-box.tsx'
import { ChevronLeftIcon, ChevronRightIcon, SearchIcon } from '../../../ui/icons.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { isTicked, setTicked, type Rule } from '../audience/rule.ts'
import type { People } from '../audience/use-people.ts'
import { formatCount } from '../progress.ts'
import { PeopleRows } from './people-rows.tsx'

const Frame = styled('div', { shouldForwardProp: (name) => name !== 'wrong' })<{ wrong: boolean }>(
  ({ theme, wrong }) => ({
    border: `1px solid ${wrong ? theme.vars.palette.error.main : theme.vars.palette.portal.edge}`,
    borderRadius: theme.shape.borderRadius,
    overflow: 'hidden',
    backgroundColor: theme.vars.palette.background.paper,
  }),
)

const Search = styled(OutlinedInput)(({ theme }) => ({
  '& .MuiOutlinedInput-notchedOutline': { display: 'none' },
  '&.Mui-focused': { outline: `2px solid ${theme.vars.palette.text.primary}`, outlineOffset: -2 },
  paddingLeft: theme.spacing(3),
  '& .MuiInputAdornment-root': { color: theme.vars.palette.text.secondary, marginRight: theme.spacing(3) },
  '& .MuiOutlinedInput-input': { paddingLeft: 0 },
  '& .MuiOutlinedInput-input::placeholder': { color: theme.vars.palette.text.secondary, opacity: 1 },
}))

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  flexWrap: 'wrap',
  columnGap: theme.spacing(3),
  boxSizing: 'content-box',
  minHeight: theme.portal.sizes.target,
  paddingInline: theme.spacing(3),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  fontVariantNumeric: 'tabular-nums',
  '& > label': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(3),
    minHeight: theme.portal.sizes.target,
    cursor: 'pointer',
    ...theme.typography.subtitle2,
  },
}))

const ListPlaceholder = styled('div')(({ theme }) => ({
  height: '15rem',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  display: 'grid',
  alignContent: 'center',
  overflow: 'hidden',
  '& > [role="alert"]': { padding: theme.spacing(4) },
}))

type PeoplePickerProps = {
  readonly people: People
  readonly rule: Rule
  readonly isWrong: boolean
  readonly searchRef: Ref<HTMLInputElement>
  readonly onChange: (rule: Rule) => void
}

type Shown = Readonly<NonNullable<People['people']>>

/** Adds people to the rule, or removes them from it, one by one. */
export const PeoplePicker = ({ people: list, rule, isWrong, searchRef, onChange }: PeoplePickerProps) => {
  const { people = [], pagination, isStale, failure } = list
  // The conditions may have changed since the answer, so nothing is known about the rows.
  const certain = (shown: Shown) => (isStale ? shown.map(({ userId }) => ({ userId, matches: undefined })) : shown)
  const tick = (shown: Shown, ticked: boolean) => onChange(setTicked(rule, certain(shown), ticked))
  const ticked = people.filter((person) => isTicked(rule, person)).length

  return (
    <Frame wrong={isWrong}>
      <Search
        type="search"
        fullWidth
        placeholder="Search by name, email or code"
        inputRef={searchRef}
        inputProps={{ 'aria-label': 'Search users', 'aria-invalid': isWrong }}
        value={list.query}
        onChange={({ target }) => list.search(target.value)}
        startAdornment={
          <InputAdornment position="start">
            <SearchIcon size={20} />
          </InputAdornment>
        }
      />
      <Bar>
        <label>
          <CheckBox
            type="checkbox"
            disabled={people.length === 0}
            checked={people.length > 0 && ticked === people.length}
            ref={(box: HTMLInputElement | null) => {
              if (box) box.indeterminate = ticked > 0 && ticked < people.length
            }}
            onChange={() => tick(people, ticked < people.length)}
          />
          <span>{`Select all ${formatCount(people.length)} shown`}</span>
        </label>
        <label>
          <CheckBox
            type="checkbox"
            role="switch"
            checked={list.onlySelected}
            onChange={({ target }) => list.showOnlySelected(target.checked)}
          />
          Only selected
        </label>
      </Bar>
      <div aria-busy={isStale && !failure}>
        {failure && (
          <ListPlaceholder>
            <ErrorState text="Failed to load data" detail={failure.message} onRetry={list.retry} />
          </ListPlaceholder>
        )}
        {!failure && !pagination && <LoadingRows />}
        {!failure && pagination && people.length > 0 && (
          <PeopleRows
            key={`${pagination.page} ${list.shownQuery}`}
            people={people}
            isTicked={(person) => isTicked(rule, person)}
            onTick={tick}
          />
        )}
        {!failure && pagination && people.length === 0 && (
          <ListPlaceholder>
            <Typography align="center" color="textSecondary" variant="body2">
              {emptyText(list)}
            </Typography>
          </ListPlaceholder>
        )}
      </div>
      {pagination && pagination.total > 0 && !failure ? (
        <PageBar pagination={pagination} onPage={list.showPage} />
      ) : (
        // Reserves the height of the page bar, so that the buttons below do not move.
        <Bar />
      )}
    </Frame>
  )
}

const emptyText = ({ query, onlySelected }: People): string => {
  if (query.trim() !== '') return `No user matches “${query.trim()}”.`
  return onlySelected ? 'No one is selected yet.' : 'There are no users yet.'
}

type PageBarProps = { readonly pagination: Pagination; readonly onPage: (page: number) => void }

/** One line, also for thousands of pages on a phone. */
const PageBar = ({ pagination: { page, limit, total, totalPages }, onPage }: PageBarProps) => (
  <Bar role="group" aria-label="Pages of users">
    <PageButton label="Previous users" isAvailable={page > 1} onPress={() => onPage(page - 1)}>
      <ChevronLeftIcon size={20} />
    </PageButton>
    <Typography variant="caption" color="textSecondary" role="status">
      {`${formatCount((page - 1) * limit + 1)} to ${formatCount(Math.min(page * limit, total))} of ${formatCount(total)}`}
    </Typography>
    <PageButton label="Next users" isAvailable={page < totalPages} onPress={() => onPage(page + 1)}>
      <ChevronRightIcon size={20} />
    </PageButton>
  </Bar>
)

type PageButtonProps = {
  readonly label: string
  readonly isAvailable: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}

/** Keeps the focus on the last page, where a disabled button would lose it. */
const PageButton = ({ label, isAvailable, onPress, children }: PageButtonProps) => (
  <IconButton
    aria-label={label}
    aria-disabled={!isAvailable}
    onClick={isAvailable ? onPress : undefined}
    sx={isAvailable ? {} : { opacity: 0.4, cursor: 'default' }}
  >
    {children}
  </IconButton>
)

const LoadingRow = styled('div')(({ theme }) => ({
  height: '3rem',
  display: 'flex',
  alignItems: 'center',
  paddingInline: theme.spacing(3),
}))

const LoadingRows = () => (
  <ListPlaceholder>
    <DelayedFadeIn role="status" aria-label="Loading users">
      {[72, 58, 66, 49, 61].map((percent) => (
        <LoadingRow key={percent}>
          <Skeleton variant="rounded" width={`${percent}%`} height={20} />
        </LoadingRow>
      ))}
    </DelayedFadeIn>
  </ListPlaceholder>
)
