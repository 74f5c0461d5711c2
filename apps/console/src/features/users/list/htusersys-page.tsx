import { UsersPage } from './users-page.tsx'

/** The provider's own users. */
export default function HtusersysPage() {
  return <UsersPage view="htusersys" />
}
