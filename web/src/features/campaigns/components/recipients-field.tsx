import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useId, useRef, type Ref } from 'react'
import { AudienceBuilder } from '../audience/audience-builder.tsx'
import { AudienceSummary } from '../audience/audience-summary.tsx'
import { ContactsResult } from '../audience/contacts-result.tsx'
import { emptyRule, hasConditions, isEmptyRule, type Rule } from '../audience/rule.ts'
import type { AudienceCount } from '../audience/use-audience-count.ts'
import { usePeople } from '../audience/use-people.ts'
import { PeoplePicker } from './people-picker.tsx'

const Field = styled('fieldset')(({ theme }) => ({
  margin: 0,
  padding: 0,
  border: 0,
  minWidth: 0,
  display: 'grid',
  gap: theme.spacing(3),
  '& > *': { minWidth: 0 },
}))

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  minHeight: theme.portal.sizes.target,
}))

type RecipientsFieldProps = {
  readonly rule: Rule
  readonly count: AudienceCount
  readonly error: string | undefined
  readonly searchRef: Ref<HTMLInputElement>
  readonly onChange: (rule: Rule) => void
}

/** Chooses the recipients of a notification: groups, a list, and people by hand. */
export const RecipientsField = ({ rule, count, error, searchRef, onChange }: RecipientsFieldProps) => {
  // Instead of a legend, which would not take part in the grid.
  const nameId = useId()
  const errorId = useId()
  // People who were chosen elsewhere may not be on the first page.
  const people = usePeople(rule, !hasConditions(rule) && rule.include.size > 0)
  const groups = useRef<HTMLDivElement>(null)

  /** The button disappears, so the focus moves to the groups. */
  const clear = () => {
    groups.current?.querySelector('button')?.focus()
    onChange(emptyRule)
  }

  return (
    <Field
      aria-labelledby={nameId}
      aria-describedby={error === undefined ? undefined : errorId}
      // Enter in a field of this group must not submit the form.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
      }}
    >
      <Head>
        <Typography id={nameId} component="span" variant="subtitle2">
          Recipients
        </Typography>
        {!isEmptyRule(rule) && (
          <Button variant="text" color="secondary" size="small" onClick={clear}>
            Clear
          </Button>
        )}
      </Head>
      <AudienceBuilder ref={groups} rule={rule} onChange={onChange} />
      {rule.contactList && count.data && !count.isStale && (
        <ContactsResult
          total={rule.contactList.contacts.length}
          unknown={count.data.unknown}
          duplicates={count.data.duplicates}
        />
      )}
      <AudienceSummary isEmpty={isEmptyRule(rule)} count={count} />
      {error !== undefined && (
        <FormHelperText error id={errorId} role="alert" sx={{ mt: 0 }}>
          {error}
        </FormHelperText>
      )}
      <PeoplePicker
        people={people}
        rule={rule}
        isWrong={error !== undefined}
        searchRef={searchRef}
        onChange={onChange}
      />
    </Field>
  )
}
