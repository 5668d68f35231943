import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { University } from '@portal/contracts/catalog/http'
import { lazy, Suspense, useState } from 'react'
import { loadForPage } from '../../../lib/load-module.ts'
import { languageOf } from '../../../ui/text-language.ts'
import { Crest } from './crest.tsx'

/** The number of shields until the user asks for all. */
const firstShields = 6

const PartnerSheet = lazy(async () => {
  const { PartnerSheet: Sheet } = await loadForPage(() => import('./partner-sheet.tsx'))
  return { default: Sheet }
})

const Grid = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  listStyle: 'none',
  margin: theme.spacing(0, 0, 5),
  padding: 0,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& li': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(3),
    minHeight: theme.spacing(22),
    padding: theme.spacing(3, 0),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& li:nth-of-type(even)': { paddingLeft: theme.spacing(3) },
  '& svg': { width: 40, height: 45 },
  '& .name': { ...theme.typography.subtitle2, overflowWrap: 'anywhere' },
  '&[data-has-sheet] .name': {
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 3,
    overflow: 'hidden',
  },
}))

type PartnersProps = { readonly partners: readonly University[] }

/** Six shields in two columns, and a button that opens the whole list. Only that list has the rest of a long name. */
export const PartnerGrid = ({ partners }: PartnersProps) => {
  const [isOpen, setOpen] = useState(false)
  /** Keeps the sheet while it fades out. */
  const [wasOpened, setWasOpened] = useState(false)
  const hasSheet = partners.length > firstShields
  return (
    <>
      <Grid aria-label="Partner universities" data-has-sheet={hasSheet || undefined}>
        {partners.slice(0, firstShields).map(({ _id, name }) => (
          <li key={_id}>
            <Crest name={name} />
            <span className="name" lang={languageOf(name)}>
              {name}
            </span>
          </li>
        ))}
      </Grid>
      {hasSheet && (
        <Button
          size="large"
          variant="outlined"
          color="secondary"
          fullWidth
          aria-haspopup="dialog"
          onClick={() => {
            setWasOpened(true)
            setOpen(true)
          }}
        >
          <span>{`All ${partners.length} universities`}</span>
        </Button>
      )}
      {wasOpened && (
        <Suspense>
          <PartnerSheet partners={partners} isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
