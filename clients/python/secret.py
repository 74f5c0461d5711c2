"""The password for the next connection: the configured one, which may be a one-time token, or the device's own."""


class Secret:
    def __init__(self, state, configured):
        self.state, self.configured, self.is_own = state, configured, 'password' in state

    def current(self):
        return self.state['password'] if self.is_own else self.configured

    def judge(self, error):
        """The broker refused it: the other one is next."""
        if 'code 5' in str(error):
            self.is_own = not self.is_own and 'password' in self.state

    def receive(self, own):
        """Takes the own password over. False unless it is a text and the connection was made with a token."""
        if not isinstance(own, str) or own == '' or self.is_own or not self.configured.startswith('once-'):
            return False
        self.state['password'], self.is_own = own, True
        return True
