import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { BrandLogo } from '../../shared/installation/brand-logo.tsx'
import { useBranding } from '../../shared/installation/branding.ts'

/** Logo and title in the top bar, with a link to the home page. */
export function Brand(): ReactNode {
  const { topBarTitle, logo } = useBranding()
  return (
    <Link to="/" className="brand" title={topBarTitle}>
      <BrandLogo logo={logo} heightPx={28} />
      <span className="brand-name">{topBarTitle}</span>
    </Link>
  )
}
