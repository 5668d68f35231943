import FormHelperText from '@mui/material/FormHelperText'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useDeferredValue, useId, useMemo, useState, type Ref } from 'react'
import { CheckBox } from '../../../ui/check-box.tsx'
import { SearchIcon } from '../../../ui/icons.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { formatCount } from '../progress.ts'
import {
  filterRecipients,
  indexRecipients,
  noneChosen,
  orderRecipients,
  recipientOrders,
  chosenShare,
  toggleAll,
  type Chosen,
  type Recipient,
  type RecipientOrder,
  type Recipients,
} from '../recipients.ts'
import { RecipientRows } from './recipient-rows.tsx'

const Field = styled('fieldset')({ margin: 0, padding: 0, border: 0, minWidth: 0 })

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  justifyContent: 'space-between',
  alignItems: 'baseline',
  marginBottom: theme.spacing(1.5),
}))

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

const All = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  minHeight: theme.portal.sizes.target,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > label': {
    flex: 1,
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(3),
    minHeight: theme.portal.sizes.target,
    paddingInline: theme.spacing(3),
    cursor: 'pointer',
    ...theme.typography.subtitle2,
    fontVariantNumeric: 'tabular-nums',
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

type RecipientPickerProps = {
  readonly recipients: Recipients
  readonly chosen: Chosen
  readonly error: string | undefined
  readonly searchRef: Ref<HTMLInputElement>
  readonly onChange: (chosen: Chosen) => void
}

const none: readonly Recipient[] = []

/** Chooses the recipients of a notification: one by one, or all that match the search. */
export const RecipientPicker = ({
  recipients: { state, reload },
  chosen,
  error,
  searchRef,
  onChange,
}: RecipientPickerProps) => {
  // Instead of a legend, which must be the first child and could not be next to the count.
  const nameId = useId()
  const errorId = useId()
  const [query, setQuery] = useState('')
  // Typing stays responsive with a long list.
  const search = useDeferredValue(query)
  const everyone = state.kind === 'loaded' ? state.data : none
  const [order, setOrder] = useState<RecipientOrder>('fullName')
  const index = useMemo(() => indexRecipients(orderRecipients(everyone, order)), [everyone, order])
  const shown = useMemo(() => filterRecipients(index, search), [index, search])

  return (
    <Field
      aria-labelledby={nameId}
      aria-describedby={error === undefined ? undefined : errorId}
      // Enter in the search field must not submit the form.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
      }}
    >
      <Head>
        <Typography id={nameId} component="span" variant="subtitle2">
          Recipients
        </Typography>
        <Typography variant="caption" color="textSecondary" role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {state.kind === 'loaded' && `${formatCount(chosen.size)} of ${formatCount(everyone.length)} selected`}
        </Typography>
      </Head>
      {error !== undefined && (
        <FormHelperText error id={errorId} role="alert" sx={{ mt: 0, mb: 1.5 }}>
          {error}
        </FormHelperText>
      )}
      <Frame wrong={error !== undefined}>
        <Search
          type="search"
          fullWidth
          placeholder="Search by name, email or role"
          inputRef={searchRef}
          inputProps={{ 'aria-label': 'Search users', 'aria-invalid': error !== undefined }}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          startAdornment={
            <InputAdornment position="start">
              <SearchIcon size={20} />
            </InputAdornment>
          }
        />
        <All>
          <SelectAll shown={shown} isSearched={search.trim() !== ''} chosen={chosen} onChange={onChange} />
          <RecipientOrderSelect order={order} onOrder={setOrder} />
        </All>
        {state.kind === 'loading' && <LoadingRows />}
        {state.kind === 'failed' && (
          <ListPlaceholder>
            <ErrorState text="Failed to load data" detail={state.failure.message} onRetry={reload} />
          </ListPlaceholder>
        )}
        {state.kind === 'loaded' && shown.length > 0 && (
          <RecipientRows key={`${order} ${search}`} shown={shown} chosen={chosen} onChange={onChange} />
        )}
        {state.kind === 'loaded' && shown.length === 0 && (
          <ListPlaceholder>
            <Typography align="center" color="textSecondary" variant="body2">
              {everyone.length === 0 ? 'There are no users yet.' : `No user matches “${search.trim()}”.`}
            </Typography>
          </ListPlaceholder>
        )}
      </Frame>
    </Field>
  )
}

type SelectAllProps = {
  readonly shown: readonly Recipient[]
  /** Whether `shown` is the result of a search. */
  readonly isSearched: boolean
  readonly chosen: Chosen
  readonly onChange: (chosen: Chosen) => void
}

const SelectAll = ({ shown, isSearched, chosen, onChange }: SelectAllProps) => {
  const share = chosenShare(chosen, shown)
  return (
    <>
      <label>
        <CheckBox
          type="checkbox"
          disabled={shown.length === 0}
          checked={share === 'all'}
          ref={(box: HTMLInputElement | null) => {
            if (box) box.indeterminate = share === 'some'
          }}
          onChange={() => onChange(toggleAll(chosen, shown))}
        />
        Select all{isSearched && ` ${formatCount(shown.length)} found`}
      </label>
      {chosen.size > 0 && (
        <Button variant="text" size="small" color="secondary" onClick={() => onChange(noneChosen)}>
          Clear
        </Button>
      )}
    </>
  )
}

const LoadingRow = styled('div')(({ theme }) => ({
  height: '3rem',
  display: 'flex',
  alignItems: 'center',
  paddingInline: theme.spacing(3),
}))

const LoadingRows = () => (
  <ListPlaceholder aria-busy="true">
    <DelayedFadeIn role="status" aria-label="Loading users">
      {[72, 58, 66, 49, 61].map((percent) => (
        <LoadingRow key={percent}>
          <Skeleton variant="rounded" width={`${percent}%`} height={20} />
        </LoadingRow>
      ))}
    </DelayedFadeIn>
  </ListPlaceholder>
)

/** The native control: small, and familiar on every device. */
const OrderSelect = styled('select')(({ theme }) => ({
  ...theme.typography.body2,
  minHeight: theme.portal.sizes.target,
  paddingInline: theme.spacing(2),
  marginRight: theme.spacing(1),
  border: 'none',
  borderRadius: theme.portal.radii.control,
  color: theme.vars.palette.text.secondary,
  background: theme.vars.palette.background.paper,
  cursor: 'pointer',
  '&:hover': { color: theme.vars.palette.text.primary },
  '&:focus-visible': { outlineOffset: -3 },
}))

const orderLabels: Readonly<Record<RecipientOrder, string>> = {
  fullName: 'By name',
  email: 'By email',
  role: 'By role',
}

type RecipientOrderSelectProps = { readonly order: RecipientOrder; readonly onOrder: (order: RecipientOrder) => void }

const RecipientOrderSelect = ({ order, onOrder }: RecipientOrderSelectProps) => (
  <OrderSelect
    aria-label="Sort users"
    value={order}
    onChange={({ target }) => {
      const chosen = recipientOrders.find((option) => option === target.value)
      if (chosen) onOrder(chosen)
    }}
  >
    {recipientOrders.map((option) => (
      <option key={option} value={option}>
        {orderLabels[option]}
      </option>
    ))}
  </OrderSelect>
)
