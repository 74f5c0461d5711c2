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
  password: {
    title: '修改密码',
    present: '当前密码',
    next: '新密码',
    repeated: '再次输入新密码',
    hint: '至少 10 个字符，不要用常见密码或账号名',
    differs: '两次输入的新密码不一致',
    touches: '修改后，本账号在其他设备上的登录立即结束。',
  },
  frame: { signingIn: '正在登录 {{account}}' },
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    session: typeof zh
  }
}
