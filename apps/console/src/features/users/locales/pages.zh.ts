import { zh as menu } from './zh.ts'

/** Texts of the pages of users. */
export const zh = {
  ...menu,
  search: '账号、姓名、电话',
  register: '注册用户',
  emptyHint: '点“注册用户”，给同事账号、角色和权限范围。',
  onlyProvider: '平台用户由平台方管理，本单位账号看不到。',
  account: '账号',
  accountHint: '登录用，注册后不能修改',
  accountWrong: '1 至 64 个字母、数字、汉字或 . _ @ -',
  name: '姓名',
  nameWrong: '首尾不能有空格',
  tel: '电话',
  telWrong: '5 至 20 位数字，可以 + 开头',
  company: '公司',
  organisation: '机构',
  parent: '上级账号',
  parentHint: '子账号的角色和权限范围不超出上级账号',
  roles: '角色',
  seesAll: '查看全部',
  seesAllHint: '不需授权即可查看所有公司的全部节点',
  createdAt: '注册时间',
  save: '保存',
  readOnly: '您不能修改该用户：其权限超出您的权限。',
  state: { label: '状态', enabled: '启用', disabled: '停用' },
  tabs: {
    account: '账号',
    grants: '权限范围',
    subAccounts: '子账号 {{count}}',
    menu: '可见菜单',
    sessions: '登录会话',
    password: '密码',
  },
  code: {
    label: '验证码',
    send: '发送验证码',
    sent: '验证码已发送，{{time}} 前有效',
    wrong: '验证码是 6 位数字',
    notConfigured: '未配置短信网关：不发送验证码，号码不作核实',
  },
  password: {
    label: '密码',
    new: '新密码',
    hint: '至少 10 个字符，不要用常见密码或账号名',
    generate: '生成',
    reset: '重置密码',
    touches: '该用户须用新密码重新登录；请另行告知本人，并请其登录后修改。',
  },
  enable: { label: '启用', bulkQuestion: '启用 {{count}} 个用户？启用后可以登录。' },
  disable: {
    label: '停用',
    question: '停用 {{account}}？',
    touches: '该用户和 {{subAccounts}} 个子账号的登录会话立即结束，启用前不能登录。',
    bulkQuestion:
      '停用 {{count}} 个用户？他们和 {{subAccounts}} 个子账号的登录会话立即结束，启用前不能登录。',
  },
  delete: {
    label: '删除',
    question: '删除 {{account}}？',
    touches: '同时删除其授权、登录会话和 {{subAccounts}} 个子账号；操作日志保留。不能恢复。',
    bulkQuestion:
      '删除 {{count}} 个用户？同时删除他们的授权、登录会话和 {{subAccounts}} 个子账号；操作日志保留。不能恢复。',
  },
  grants: {
    label: '授权节点',
    hint: '在树中勾选，或输入名称查找；节点以下的一切（包括以后新增的）都在权限范围内',
    newHint: '输入名称查找，或先在树中勾选再注册；节点以下的一切（包括以后新增的）都在权限范围内',
    add: '授权',
    remove: '取消授权',
    removeOne: '取消授权：{{place}}',
    removeQuestion: '取消 {{account}} 的这项授权？',
    removeTouches: '其子账号也会失去这一部分。',
    none: '没有授权',
    noneHint: '该用户登录后看不到任何节点。',
    more: '另有 {{count}} 项未列出',
    seesAll: '该用户查看全部节点，不需授权。',
  },
  subAccounts: {
    none: '没有子账号',
    noneHint: '子账号的角色和权限范围不超出该用户。',
    add: '注册子账号',
  },
  sessions: {
    none: '没有登录会话',
    since: '{{time}} 登录，来自 {{address}}',
    until: '{{time}} 到期',
    this: '当前会话',
    end: '结束会话',
    endAll: '结束其他全部会话（{{count}}）',
  },
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    users: typeof zh
  }
}
