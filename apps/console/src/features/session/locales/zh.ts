export const zh = {
  login: {
    lead: '供热二次网监控与平衡',
    account: '账号',
    password: '密码',
    submit: '登录',
    accountRequired: '请输入账号',
    accountTooLong: '账号最多 64 个字符',
    passwordRequired: '请输入密码',
    showPassword: '显示密码',
    capsLock: '大写锁定已打开',
    wait: '请 {{seconds}} 秒后再试',
  },
  expired: {
    title: '登录已过期',
    text: '用户信息已过期，请重新登录',
    confirm: '重新登录',
    cancel: '取消',
  },
  logout: { untold: '已在本机注销，但未能通知服务器；恢复连接后会再次通知，会话最迟两小时后自行结束' },
  frame: { signingIn: '正在登录 {{account}}' },
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    session: typeof zh
  }
}
