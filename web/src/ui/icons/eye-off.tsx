import { Icon, type IconProps } from './icon.tsx'

export const EyeOffIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M9.8 6.1A9.7 9.7 0 0 1 12 5.8c6 0 9.5 6.2 9.5 6.2a17 17 0 0 1-3 3.6M6.2 7.8A16.5 16.5 0 0 0 2.5 12S6 18.2 12 18.2c1.8 0 3.4-.5 4.7-1.3M4 4l16 16M10 10.1a2.8 2.8 0 0 0 3.9 3.9" />
  </Icon>
)
