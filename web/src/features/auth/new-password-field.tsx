import { styled } from '@mui/material/styles'
import { useId, useState, type ComponentProps } from 'react'
import { CheckIcon } from '../../ui/icons.tsx'
import { PasswordField } from '../../ui/text-field.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { brokenRules, passwordRules } from './password-rules.ts'

const Rules = styled('ul')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(148px, 1fr))',
  gap: theme.spacing(0.5, 3),
  listStyle: 'none',
  margin: theme.spacing(2, 0, 0),
  padding: 0,
  color: theme.vars.palette.text.secondary,
  '& li': { display: 'flex', alignItems: 'center', gap: theme.spacing(2) },
  '& .mark': {
    display: 'grid',
    placeItems: 'center',
    flex: 'none',
    width: 16,
    height: 16,
    borderRadius: '50%',
    boxShadow: `inset 0 0 0 1px ${theme.vars.palette.portal.edge}`,
  },
  '& [data-met]': { color: theme.vars.palette.text.primary },
  '& [data-met] .mark': {
    boxShadow: 'none',
    background: theme.vars.palette.portal.tones.green.background,
    color: theme.vars.palette.portal.tones.green.text,
  },
}))

const summaryOf = (password: string): string => {
  const broken = brokenRules(password)
  return broken.length === 0 ? 'The password meets all rules.' : `The password lacks: ${broken.join(', ')}.`
}

type NewPasswordFieldProps = Omit<ComponentProps<typeof PasswordField>, 'value' | 'hint' | 'describedBy'> & {
  /** The typed password. */
  readonly typed: string
}

/** A field for a new password, with the rules ticked off below it. Screen readers get a summary when they leave it. */
export const NewPasswordField = ({ typed, ...field }: NewPasswordFieldProps) => {
  const id = useId()
  const [isFocused, setFocused] = useState(false)
  return (
    <div onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
      <PasswordField {...field} autoComplete="new-password" required describedBy={`${id}-rules`} />
      <Rules id={`${id}-rules`} aria-label="The password needs">
        {passwordRules.map(({ text, isMet }) => {
          const met = isMet(typed)
          return (
            <li key={text} data-met={met || undefined}>
              <span className="mark" aria-hidden="true">
                {met && <CheckIcon size={12} weight={3} />}
              </span>
              <span>
                {text}
                {met && <VisuallyHidden> (done)</VisuallyHidden>}
              </span>
            </li>
          )
        })}
      </Rules>
      <VisuallyHidden role="status">{isFocused || typed === '' ? '' : summaryOf(typed)}</VisuallyHidden>
    </div>
  )
}
