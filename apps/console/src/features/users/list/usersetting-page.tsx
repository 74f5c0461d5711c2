import { UsersPage } from './users-page.tsx'

/** Users of the company, with their sub-accounts. */
export default function UsersettingPage() {
  return <UsersPage view="usersetting" />
}
