import { match } from '../../../shared/i18n/match.ts'
import type { rolesZh } from './roles.zh.ts'

export const rolesEn = match<typeof rolesZh>()({
  search: 'Name, code, description',
  add: 'Add role',
  edit: 'Role {{name}}',
  name: 'Name',
  code: 'Role code',
  description: 'Description',
  owner: 'Company',
  ownerHint: 'Without a company the role is for every company',
  everyCompany: 'Every company',
  kind: 'Type',
  builtIn: 'Built in',
  own: 'Added',
  module: 'Module',
  modules: 'Modules',
  needsSecondFactor: 'Requires two-step sign-in',
  needsSecondFactorHint:
    'Accounts with this role log in with a one-time code; users who have not set it up do so at the next sign-in',
  modulesHint: 'A page is shown only with its group. You can give only modules that you have.',
  accounts: 'Users',
  matrix: 'Module matrix',
  matrixSave: 'Saving the module matrix:',
  matrixSaveCount: 'Save (roles: {{count}})',
  readOnly: 'You cannot change this role: others manage it, or it has modules that you do not have.',
  delete: 'Delete',
  deleteQuestion: 'Delete roles: {{count}}? Roles that a user still has are not deleted.',
  saving: 'Saving role “{{name}}”:',
})
