import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useId, type ReactNode } from 'react'

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  alignContent: 'start',
  gap: theme.spacing(5),
  minWidth: 0,
  outline: 'none',
  '& > header': {
    display: 'flex',
    alignItems: 'baseline',
    justifyContent: 'space-between',
    gap: theme.spacing(4),
    paddingBottom: theme.spacing(2),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
}))

type FormSectionProps = { readonly title: string; readonly count?: string; readonly children: ReactNode }

export const FormSection = ({ title, count, children }: FormSectionProps) => {
  const id = useId()
  return (
    <Section aria-labelledby={id} tabIndex={-1}>
      <header>
        <Typography id={id} variant="h2">
          {title}
        </Typography>
        {count !== undefined && (
          <Typography variant="body2" color="textSecondary" role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {count}
          </Typography>
        )}
      </header>
      {children}
    </Section>
  )
}

/** Tools or facts, separated by hairlines. */
export const EditableList = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  containerType: 'inline-size',
  margin: theme.spacing(-5, 0, 0),
  padding: 0,
}))

export const countOf = (count: number, part: 'tool' | 'fact'): string => {
  if (count === 0) return `No ${part}s`
  return count === 1 ? `1 ${part}` : `${count} ${part}s`
}
