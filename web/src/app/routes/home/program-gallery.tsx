import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { normalizeText } from '@portal/contracts/shared/search-text'
import { matchesAllWords } from '../../../lib/search-text.ts'
import { useSearchText } from '../../../lib/use-search-text.ts'
import { BookletIllustration } from '../../../ui/illustrations.tsx'
import { ListSearch, searchFromEntries } from '../../../ui/list-search.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { firstCards, ProgramCards, type ProgramCardsProps } from './program-cards.tsx'

const Gallery = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(6),
  '& > button': { justifySelf: 'center' },
}))

/** Whether all cards are shown. In the address, so that Back and a reload return to the same list. */
const useShowsAll = () => {
  const [search, setSearch] = useSearchParams()
  const { state } = useLocation()
  const showAll = () =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current)
        next.set('programs', 'all')
        return next
      },
      { replace: true, state },
    )
  return [search.get('programs') === 'all', showAll] as const
}

/** The first cards of a long list, a button for the rest, and a search. */
export const ProgramGallery = ({ programs, addressOf }: Omit<ProgramCardsProps, 'ref'>) => {
  const [text, type, query] = useSearchText()
  const [showsAll, showAll] = useShowsAll()
  const [hasJustExpanded, setJustExpanded] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const found = programs.filter((program) =>
    matchesAllWords(normalizeText(`${program.programName} ${program.programId}`), query),
  )
  const shown = showsAll ? found : found.slice(0, firstCards)

  // The button that had the focus is unmounted.
  useEffect(() => {
    if (hasJustExpanded && showsAll) list.current?.querySelectorAll('a')[firstCards]?.focus()
  }, [hasJustExpanded, showsAll])

  return (
    <Gallery>
      {programs.length >= searchFromEntries && (
        <ListSearch
          label="Search programs"
          value={text}
          onChange={type}
          found={found.length}
          total={programs.length}
          noun={['program', 'programs']}
        />
      )}
      {found.length === 0 ? (
        <EmptyState
          illustration={<BookletIllustration />}
          text={`No program matches “${query}”.`}
          action={
            <Button variant="outlined" color="secondary" onClick={() => type('')}>
              Show all programs
            </Button>
          }
        />
      ) : (
        <ProgramCards ref={list} programs={shown} addressOf={addressOf} />
      )}
      {shown.length < found.length && (
        <Button
          size="large"
          variant="outlined"
          color="secondary"
          onClick={() => {
            showAll()
            setJustExpanded(true)
          }}
        >
          <span>{`Show all ${found.length}`}</span>
        </Button>
      )}
    </Gallery>
  )
}
