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
    back: '返回登录',
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
    differs: '两次输入的新密码不一致',
    touches: '修改后，本账号在其他设备上的登录立即结束。',
  },
  sessions: {
    title: '我的登录会话',
    since: '{{time}} 从 {{address}} 登录',
    this: '当前会话',
    others: '本账号的其他会话',
    none: '本账号没有在其他地方登录。',
    end: '结束所选会话',
  },
  singleSignOn: { open: '企业统一登录', ending: '正在完成统一登录' },
  factor: {
    title: '两步验证',
    code: '动态验证码',
    codeHint: '验证器应用显示的 6 位数字；手机丢失时可用恢复码',
    scan: '用验证器应用（如支持 TOTP 的手机应用）扫描二维码，再输入应用显示的 6 位数字。',
    orType: '或手工输入密钥：',
    turnOn: '开启两步验证',
    turnOff: '关闭两步验证',
    next: '下一步',
    why: '开启后，登录除密码外还要输入手机验证器应用显示的动态验证码。',
    isOn: '已开启，还有 {{count}} 个恢复码。关闭时须输入密码和动态验证码。',
    isRequired:
      '已开启，还有 {{count}} 个恢复码。您的角色或密码策略要求两步验证，不能关闭；手机丢失请联系管理员。',
    store: '请把恢复码存放在安全的地方：只显示这一次，每个只能用一次。',
    stored: '已保存，继续',
    enrol: '您的角色或密码策略要求两步验证，请先设置。',
  },
  frame: { signingIn: '正在登录 {{account}}' },
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    session: typeof zh
  }
}
