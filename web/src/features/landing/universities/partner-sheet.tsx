import Dialog from '@mui/material/Dialog'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import type { University } from '@portal/contracts/catalog/http'
import { useId, useState } from 'react'
import { useCloseOnBack } from '../../../lib/history-guard.ts'
import { normalizeText } from '@portal/contracts/shared/search-text'
import { matchesAllWords } from '../../../lib/search-text.ts'
import { CloseIcon } from '../../../ui/icons.tsx'
import { ListSearch } from '../../../ui/list-search.tsx'
import { Crest } from './crest.tsx'

const Head = styled('header')(({ theme }) => ({
  position: 'sticky',
  top: 0,
  zIndex: 1,
  display: 'grid',
  gap: theme.spacing(3),
  padding: theme.spacing(4, 5),
  paddingTop: `calc(env(safe-area-inset-top) + ${theme.spacing(4)})`,
  background: theme.vars.palette.background.paper,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& .title': { display: 'flex', alignItems: 'center', justifyContent: 'space-between' },
  '& h2': { ...theme.typography.h2, margin: 0 },
}))

const List = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: theme.spacing(0, 5, 6),
  '& li': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(4),
    padding: theme.spacing(3, 0),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
  },
  '& svg': { width: 32, height: 36 },
}))

const NoMatch = styled('p')(({ theme }) => ({ margin: 0, padding: theme.spacing(6, 5) }))

type PartnerSheetProps = {
  readonly partners: readonly University[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** All partner universities with a search, over the page. */
export const PartnerSheet = ({ partners, isOpen, onClose }: PartnerSheetProps) => {
  const titleId = useId()
  const [query, setQuery] = useState('')
  useCloseOnBack(isOpen, onClose)
  const found = partners.filter(({ name }) => matchesAllWords(normalizeText(name), query.trim()))
  return (
    <Dialog open={isOpen} onClose={onClose} fullScreen aria-labelledby={titleId}>
      <Head>
        <div className="title">
          <h2 id={titleId}>Partner universities</h2>
          <IconButton aria-label="Close" edge="end" onClick={onClose}>
            <CloseIcon size={22} />
          </IconButton>
        </div>
        <ListSearch
          label="Search universities"
          value={query}
          onChange={setQuery}
          found={found.length}
          total={partners.length}
          noun={['university', 'universities']}
        />
      </Head>
      {found.length === 0 ? (
        <NoMatch>{`No university matches “${query.trim()}”.`}</NoMatch>
      ) : (
        <List>
          {found.map(({ _id, name }) => (
            <li key={_id}>
              <Crest name={name} />
              {name}
            </li>
          ))}
        </List>
      )}
    </Dialog>
  )
}
