import type { User } from '@isotherm/contract/endpoints/administration/users'

/** The three pages of users, which are views of one list. */
export type UserView = 'usersetting' | 'usersys' | 'htusersys'

/** Kind of the users of a page: '01' staff of a company, '100' staff of the provider (specification, section 3). */
export type UserType = '01' | '100'

export const typeOfView: Readonly<Record<UserView, UserType>> = {
  usersetting: '01',
  usersys: '01',
  htusersys: '100',
}

export const toUserKey = ({ id }: User): string => String(id)
export const toUserName = ({ account, name }: User): string => `${account} ${name}`
