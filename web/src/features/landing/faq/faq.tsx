import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { BookletIllustration } from '../../../ui/illustrations.tsx'
import { SearchIcon } from '../../../ui/icons.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { categories } from './content.ts'
import { Marked, Unfolding } from './disclosure-parts.tsx'
import { searchFor, startOf, toggleCategory, toggleQuestion } from './disclosure.ts'
import { isSearch, search } from './search.ts'

const Search = styled('div')(({ theme }) => ({
  margin: theme.spacing(8, 0, 6),
  '& svg': { marginRight: theme.spacing(2), color: theme.vars.palette.text.secondary },
}))

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

/** The questions, by category; one answer is open at a time. */
export const Faq = () => {
  const [state, setState] = useState(() => startOf(categories))
  const found = search(categories, state.text)
  const count = found.reduce((sum, { questions }) => sum + questions.length, 0)
  const look = (text: string) => setState((before) => searchFor(before, text, categories))
  return (
    <>
      <Search role="search" aria-label="Questions">
        <TextField
          label="Search the questions"
          type="search"
          value={state.text}
          onChange={({ target }) => look(target.value)}
          startAdornment={<SearchIcon size={20} />}
          autoComplete="off"
        />
      </Search>
      <VisuallyHidden role="status">{isSearch(state.text) ? foundText(count) : ''}</VisuallyHidden>
      {count === 0 && (
        <EmptyState
          illustration={<BookletIllustration />}
          text={`No question holds “${state.text.trim()}”.`}
          detail="Try another word, or write to us."
          action={
            <Button variant="outlined" color="secondary" onClick={() => look('')}>
              Show all questions
            </Button>
          }
        />
      )}
      {found.map(({ name, questions }) => (
        <CategoryBlock key={name}>
          <Unfolding
            level="h3"
            title={<Marked text={name} searched={state.text} />}
            isOpen={state.expanded.has(name)}
            onToggle={() => setState((before) => toggleCategory(before, name))}
          >
            {questions.map(({ question, answer }) => (
              <QuestionBlock key={question}>
                <Unfolding
                  level="h4"
                  title={<Marked text={question} searched={state.text} />}
                  isOpen={state.question === question}
                  onToggle={() => setState((before) => toggleQuestion(before, question))}
                >
                  <p>
                    <Marked text={answer} searched={state.text} />
                  </p>
                </Unfolding>
              </QuestionBlock>
            ))}
          </Unfolding>
        </CategoryBlock>
      ))}
    </>
  )
}
