import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useId, useState, type ReactNode } from 'react'
import { BookletIllustration } from '../../../ui/illustrations.tsx'
import { ChevronDownIcon } from '../../../ui/icons.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { categories } from './content.ts'
import { QuestionSearch } from './question-search.tsx'
import { isSearch, splitAtHits, search, searchFor, initialState, toggleCategory, toggleQuestion } from './search.ts'

const Toggle = styled('button')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(4),
  width: '100%',
  minHeight: theme.portal.sizes.target,
  padding: theme.spacing(4, 0),
  border: 0,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  letterSpacing: 'inherit',
  textAlign: 'left',
  cursor: 'pointer',
  borderRadius: theme.portal.radii.control,
  '& svg': {
    flex: 'none',
    color: theme.vars.palette.text.secondary,
    transition: `transform ${theme.portal.motion.steadyMs}ms ${theme.portal.motion.easing}`,
  },
  '&[aria-expanded="true"] svg': { transform: 'rotate(180deg)', color: theme.vars.palette.primary.main },
}))

const Heading = styled('div')({ margin: 0 })

const Hit = styled('mark')(({ theme }) => ({
  background: theme.vars.palette.portal.tones.yellow.background,
  color: theme.vars.palette.portal.tones.yellow.text,
  borderRadius: 2,
}))

/** A text with the search hits highlighted. */
const Highlighted = ({ text, searched }: { text: string; searched: string }) =>
  splitAtHits(text, searched).map(({ text: piece, isHit }, n) =>
    isHit ? <Hit key={n}>{piece}</Hit> : <span key={n}>{piece}</span>,
  )

type DisclosureProps = {
  readonly level: 'h3' | 'h4'
  readonly title: ReactNode
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

/** A heading that expands its content. */
const Disclosure = ({ level, title, isOpen, onToggle, children }: DisclosureProps) => {
  const id = useId()
  return (
    <>
      <Heading as={level}>
        <Toggle
          type="button"
          id={`${id}-button`}
          aria-expanded={isOpen}
          aria-controls={`${id}-region`}
          onClick={onToggle}
        >
          <span>{title}</span>
          <ChevronDownIcon size={20} />
        </Toggle>
      </Heading>
      <div role="region" id={`${id}-region`} aria-labelledby={`${id}-button`} hidden={!isOpen}>
        {children}
      </div>
    </>
  )
}

const CategoryBlock = styled('div')(({ theme }) => ({
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '&:last-of-type': { borderBottom: `1px solid ${theme.vars.palette.divider}` },
  '& h3': { ...theme.typography.h2 },
}))

const QuestionBlock = styled('div')(({ theme }) => ({
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  paddingLeft: theme.spacing(6),
  '& h4': { ...theme.typography.subtitle1 },
  '& p': {
    margin: 0,
    padding: theme.spacing(0, 8, 5, 0),
    maxWidth: theme.portal.measure,
    color: theme.vars.palette.text.secondary,
  },
}))

const foundText = (count: number) => (count === 1 ? '1 question found' : `${count} questions found`)

/** The questions by category. One answer is open at a time. */
export const Faq = () => {
  const [state, setState] = useState(() => initialState(categories))
  const found = search(categories, state.text)
  const count = found.reduce((sum, { questions }) => sum + questions.length, 0)
  const updateSearch = (text: string) => setState((current) => searchFor(current, text, categories))
  return (
    <>
      <QuestionSearch text={state.text} onChange={updateSearch} />
      <VisuallyHidden role="status">{isSearch(state.text) ? foundText(count) : ''}</VisuallyHidden>
      {count === 0 && (
        <EmptyState
          illustration={<BookletIllustration />}
          text={`No questions match “${state.text.trim()}”.`}
          detail="Try another word, or write to us."
          action={
            <Button variant="outlined" color="secondary" onClick={() => updateSearch('')}>
              Show all questions
            </Button>
          }
        />
      )}
      {found.map(({ name, questions }) => (
        <CategoryBlock key={name}>
          <Disclosure
            level="h3"
            title={<Highlighted text={name} searched={state.text} />}
            isOpen={state.expanded.has(name)}
            onToggle={() => setState((current) => toggleCategory(current, name))}
          >
            {questions.map(({ question, answer }) => (
              <QuestionBlock key={question}>
                <Disclosure
                  level="h4"
                  title={<Highlighted text={question} searched={state.text} />}
                  isOpen={state.question === question}
                  onToggle={() => setState((current) => toggleQuestion(current, question))}
                >
                  <p>
                    <Highlighted text={answer} searched={state.text} />
                  </p>
                </Disclosure>
              </QuestionBlock>
            ))}
          </Disclosure>
        </CategoryBlock>
      ))}
    </>
  )
}
