import { match } from '../../../shared/i18n/match.ts'
import type { roleCodesZh } from './role-codes.zh.ts'

export const roleCodesEn = match<typeof roleCodesZh>()({
  search: 'Code, name, description',
  add: 'Add role code',
  edit: 'Role code {{code}}',
  code: 'Code',
  codeHint: 'Sent with the modules after sign-in (rcode); 500 is reserved for the rbac variant',
  name: 'Name',
  description: 'Description',
  roleCount: 'Roles with it',
  delete: 'Delete',
  deleteQuestion: 'Delete role codes: {{count}}? Codes that a role still has are not deleted.',
  saved: 'Role code {{code}} saved',
})
