import type { Components, CssVarsTheme, Theme } from '@mui/material/styles'
import { fonts, motion, radii, shortWindow, sizes } from './tokens.ts'

type Overrides = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>

const ring = (color: string) => ({ outline: `2px solid ${color}`, outlineOffset: 2 })

/** Overrides of MUI's components, so that pages need no styles for them. */
export const components: Overrides = {
  MuiCssBaseline: {
    styleOverrides: (theme) => ({
      // The height of the bottom bar without the safe area.
      ':root': { '--bottom-bar': `${sizes.bottomBar}px`, [shortWindow]: { '--bottom-bar': `${sizes.target}px` } },
      html: {
        // Always show the scroll bar, so that nothing moves. A dialog hides it and covers its space, unlike with a scrollbar
        // gutter.
        overflowY: 'scroll',
        WebkitTextSizeAdjust: '100%',
        textSizeAdjust: '100%',
        scrollPaddingBlock: sizes.bottomBar + 16,
      },
      body: { fontFeatureSettings: '"kern"', textRendering: 'optimizeLegibility', overflowWrap: 'break-word' },
      // Tight tracking tears the head line of Devanagari and the joined letters of Urdu, which is read from right to left. Marks
      // above and below letters need more height.
      ':not(:lang(en))': { letterSpacing: '0 !important', lineHeight: '1.6 !important' },
      ':lang(ur)': { direction: 'rtl' },
      '::selection': { background: theme.vars.palette.portal.accentSoft, color: theme.vars.palette.text.primary },
      // One focus ring for everything, in the text color: it has enough contrast on every background.
      // A clear button in the text color; Chromium's default is blue.
      '::-webkit-search-cancel-button': {
        appearance: 'none',
        width: 12,
        height: 12,
        cursor: 'pointer',
        background: ['45deg', '-45deg']
          .map((angle) => `linear-gradient(${angle}, transparent 44%, currentColor 44% 56%, transparent 56%)`)
          .join(),
      },
      ':focus-visible': ring(theme.vars.palette.text.primary),
      'h1:focus-visible, main:focus-visible': { outline: 'none' },
      '@media (prefers-reduced-motion: reduce)': {
        '*, *::before, *::after': {
          animationDuration: '0.01ms !important',
          animationIterationCount: '1 !important',
          transitionDuration: '0.01ms !important',
          scrollBehavior: 'auto !important',
        },
      },
    }),
  },
  MuiTypography: { defaultProps: { variantMapping: { subtitle1: 'p', subtitle2: 'p' } } },
  MuiButtonBase: { defaultProps: { disableRipple: true } },
  MuiButton: {
    defaultProps: { disableElevation: true, variant: 'contained' },
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: sizes.target,
        padding: '9px 20px',
        borderRadius: radii.control,
        transition: `background-color ${motion.quickMs}ms ${motion.easing}, color ${motion.quickMs}ms ${motion.easing}`,
        '&.Mui-focusVisible': ring(theme.vars.palette.text.primary),
        variants: [
          { props: { variant: 'text' }, style: { padding: '9px 12px' } },
          {
            props: { variant: 'outlined', color: 'secondary' },
            style: { borderColor: theme.vars.palette.portal.edge },
          },
          {
            props: { variant: 'text', color: 'primary' },
            style: { '&:hover': { backgroundColor: theme.vars.palette.portal.accentSoft } },
          },
        ],
      }),
      sizeLarge: { minHeight: 52, fontSize: '1rem' },
      // Smaller text, but the same touch target.
      sizeSmall: { minHeight: sizes.target, padding: '11px 12px', fontSize: '0.875rem', lineHeight: 20 / 14 },
    },
  },
  MuiIconButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        minWidth: sizes.target,
        minHeight: sizes.target,
        borderRadius: radii.control,
        color: theme.vars.palette.text.secondary,
        '&:hover': { color: theme.vars.palette.text.primary },
        '&.Mui-focusVisible': ring(theme.vars.palette.text.primary),
      }),
    },
  },
  MuiLink: {
    defaultProps: { underline: 'always' },
    styleOverrides: {
      root: ({ theme }) => ({
        fontWeight: 600,
        borderRadius: 2,
        textUnderlineOffset: '0.2em',
        textDecorationThickness: 1,
        textDecorationColor: `color-mix(in srgb, ${theme.vars.palette.primary.main} 45%, transparent)`,
        '&:hover': { textDecorationColor: 'currentcolor' },
      }),
    },
  },
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiOutlinedInput: {
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 48,
        borderRadius: radii.control,
        backgroundColor: theme.vars.palette.background.paper,
        '& .MuiOutlinedInput-notchedOutline': {
          borderColor: theme.vars.palette.portal.edge,
          transition: `border-color ${motion.quickMs}ms ${motion.easing}`,
        },
        '&:hover:not(.Mui-disabled, .Mui-error) .MuiOutlinedInput-notchedOutline': {
          borderColor: theme.vars.palette.text.primary,
        },
        '&.Mui-focused:not(.Mui-error) .MuiOutlinedInput-notchedOutline': {
          borderColor: theme.vars.palette.text.primary,
          borderWidth: 2,
        },
      }),
      // At least 16 px: iOS zooms into fields with smaller text.
      input: { padding: '12px 14px', height: 24, textOverflow: 'ellipsis', '&:focus-visible': { outline: 'none' } },
      multiline: { padding: 0, '& textarea': { padding: '12px 14px' } },
    },
  },
  MuiFormHelperText: {
    styleOverrides: {
      root: { marginInline: 0, marginTop: 4, fontSize: '0.8125rem', lineHeight: 18 / 13, letterSpacing: 0 },
    },
  },
  MuiFormLabel: { styleOverrides: { asterisk: { display: 'none' } } },
  MuiCheckbox: { styleOverrides: { root: { '&.Mui-focusVisible': { outline: '2px solid', outlineOffset: -4 } } } },
  MuiDialog: {
    defaultProps: {
      slotProps: {
        container: {
          // The second click of a double click on the button that opened the dialog must not close it.
          onClick: (event) => {
            if (event.detail > 1 && event.target === event.currentTarget) event.stopPropagation()
          },
        },
      },
    },
    styleOverrides: {
      paper: ({ theme }) => ({
        borderRadius: radii.sheet,
        boxShadow: theme.vars.palette.portal.shadow,
        margin: 16,
        width: 'calc(100% - 32px)',
      }),
    },
  },
  MuiBackdrop: {
    styleOverrides: {
      root: ({ theme, ownerState }) =>
        ownerState.invisible ? {} : { backgroundColor: theme.vars.palette.portal.scrim },
    },
  },
  MuiDialogTitle: { styleOverrides: { root: { padding: '24px 24px 8px' } } },
  MuiDialogContent: { styleOverrides: { root: { padding: '0 24px 8px' } } },
  MuiDialogActions: {
    styleOverrides: { root: { padding: '16px 24px 24px', gap: 8, '& > *': { margin: '0 !important' } } },
  },
  MuiTooltip: {
    styleOverrides: {
      tooltip: ({ theme }) => ({
        backgroundColor: theme.vars.palette.text.primary,
        color: theme.vars.palette.background.default,
        borderRadius: radii.control,
        fontFamily: fonts.text,
        fontSize: '0.8125rem',
        lineHeight: 18 / 13,
        fontWeight: 500,
        padding: '6px 10px',
      }),
    },
  },
  MuiSkeleton: {
    defaultProps: { animation: 'wave' },
    styleOverrides: { root: { borderRadius: radii.control, transform: 'none' } },
  },
}
