import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'
import { useEffect, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { ChevronDownIcon } from '../../../ui/icons.tsx'

const Head = styled('h2')(({ theme }) => ({
  width: '100%',
  maxWidth: theme.portal.sizes.page,
  margin: '0 auto',
  padding: theme.spacing(0, 5),
  // What is above it has no height yet.
  '[data-waiting] ~ &': { visibility: 'hidden' },
  [theme.breakpoints.up('md')]: { padding: theme.spacing(0, 10) },
}))

const Toggle = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.h3,
  display: 'flex',
  justifyContent: 'space-between',
  width: '100%',
  minHeight: theme.spacing(16),
  borderBlock: `1px solid ${theme.vars.palette.divider}`,
  textAlign: 'left',
  '& svg': { transition: theme.transitions.create('rotate') },
  '&[aria-expanded="true"] svg': { rotate: '180deg' },
}))

const regionId = 'about-minor'
/** Any hash unfolds the page: each is the address of a section in it. */
const openHash = `#${regionId}`

/** Scrolls to the section that the hash names, as soon as it is there. */
const useScrollToSection = (hash: string, isRevisit: boolean): void => {
  // Back and a reload restore the scroll position instead.
  const [restored] = useState(isRevisit ? hash : '')
  useEffect(() => {
    if (hash === openHash || hash === restored) return undefined
    const id = hash.slice(1)
    if (id === '') return undefined
    // The browser scrolls to a section that exists already.
    if (document.getElementById(id)) return undefined
    const observer = new MutationObserver(() => {
      const section = document.getElementById(id)
      if (!section) return
      observer.disconnect()
      section.scrollIntoView()
    })
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [hash, restored])
}

/** One row that unfolds the landing page. Whether it is open is in the address, so that Back and a reload restore it. */
export const AboutMinor = ({ isRevisit, children }: { isRevisit: boolean; children: ReactNode }) => {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const isOpen = hash !== ''
  useScrollToSection(hash, isRevisit)
  return (
    <>
      <Head>
        <Toggle
          aria-expanded={isOpen}
          aria-controls={regionId}
          onClick={() => void navigate({ hash: isOpen ? '' : openHash }, { replace: true })}
        >
          About the Minor
          <ChevronDownIcon />
        </Toggle>
      </Head>
      <div id={regionId}>{isOpen && children}</div>
    </>
  )
}
