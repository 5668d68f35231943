import type { ReactNode, SVGProps } from 'react'

export type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & {
  /** px. */
  readonly size?: number
  /** Heavier strokes mark what is active. */
  readonly weight?: number
}

/** A line icon on a 24 px grid. It is decorative: the text beside it carries the meaning. */
export const lineIcon = (shapes: ReactNode) =>
  function Icon({ size = 24, weight = 1.75, ...rest }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={weight}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
        {...rest}
      >
        {shapes}
      </svg>
    )
  }

export const BellIcon = lineIcon(
  <path d="M6.2 10a5.8 5.8 0 0 1 11.6 0c0 5.5 2.2 6.7 2.2 6.7H4s2.2-1.2 2.2-6.7zM10 20a2.2 2.2 0 0 0 4 0" />,
)
export const CheckIcon = lineIcon(<path d="m5 12.5 4.5 4.5L19 7.5" />)
export const ChevronDownIcon = lineIcon(<path d="m6 9.5 6 6 6-6" />)
export const ChevronLeftIcon = lineIcon(<path d="m14.5 6-6 6 6 6" />)
export const ChevronRightIcon = lineIcon(<path d="m9.5 6 6 6-6 6" />)
export const CloseIcon = lineIcon(<path d="m6 6 12 12M18 6 6 18" />)
export const ErrorIcon = lineIcon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V13M12 16.2v.1" />
  </>,
)
export const EyeOffIcon = lineIcon(
  <path d="M9.8 6.1A9.7 9.7 0 0 1 12 5.8c6 0 9.5 6.2 9.5 6.2a17 17 0 0 1-3 3.6M6.2 7.8A16.5 16.5 0 0 0 2.5 12S6 18.2 12 18.2c1.8 0 3.4-.5 4.7-1.3M4 4l16 16M10 10.1a2.8 2.8 0 0 0 3.9 3.9" />,
)
export const EyeIcon = lineIcon(
  <>
    <path d="M2.5 12S6 5.8 12 5.8 21.5 12 21.5 12 18 18.2 12 18.2 2.5 12 2.5 12z" />
    <circle cx="12" cy="12" r="2.8" />
  </>,
)
export const HomeIcon = lineIcon(<path d="M4 10.8 12 4l8 6.8V19a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1z" />)
export const InfoIcon = lineIcon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 11v5M12 7.8v.1" />
  </>,
)
export const PauseIcon = lineIcon(<path d="M8.5 5.5v13M15.5 5.5v13" />)
export const PlayIcon = lineIcon(<path d="M7.5 5v14l11-7z" />)
export const ProfileIcon = lineIcon(
  <>
    <circle cx="12" cy="8.2" r="3.7" />
    <path d="M4.7 20c.7-3.9 3.6-5.9 7.3-5.9s6.6 2 7.3 5.9" />
  </>,
)
export const ProgramIcon = lineIcon(
  <path d="M12 6.6C10 5 7.4 4.5 4 4.5v13.4c3.4 0 6 .5 8 2.1 2-1.6 4.6-2.1 8-2.1V4.5c-3.4 0-6 .5-8 2.1zM12 6.6V20" />,
)
export const SearchIcon = lineIcon(
  <>
    <circle cx="10.8" cy="10.8" r="6.3" />
    <path d="m15.5 15.5 4.5 4.5" />
  </>,
)
export const WarningIcon = lineIcon(<path d="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17.2v.1" />)
