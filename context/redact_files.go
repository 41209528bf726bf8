package memory

import (
	"path"
	"strings"
)

// sensitiveNames are files that hold secrets, as patterns of path.Match over
// the last part of a path in small letters.
var sensitiveNames = []string{
	".env", ".env.*", "*.env", ".envrc", "*.pem", "*.key", "*.p12", "*.pfx", "*.pkcs12", "*.jks", "*.keystore", "*.kdbx", "*.kdb", "*.ppk", "*.asc", "*.gpg", "*.age",
	"id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "id_xmss*", "*_rsa", "*_ed25519", ".netrc", "_netrc", ".pgpass", "pgpass.conf", ".npmrc", ".yarnrc.yml", ".pypirc", ".git-credentials", ".my.cnf", ".mylogin.cnf",
	"credentials", "credentials.*", "credentials-*", "*credentials.json", "*credentials.yml", "*credentials.yaml", "*credentials.toml", "client_secret*.json", "service-account*.json", "service_account*.json", "serviceaccount*.json",
	"kubeconfig", "kubeconfig.*", "*.kubeconfig", ".dockercfg", ".dockerconfigjson", ".htpasswd", "htpasswd", ".vault-token", "vault-token", "*.tfstate", "*.tfstate.backup", "*.tfvars", "*.tfvars.json",
	"secrets", "secrets.*", "secret.yml", "secret.yaml", "secret.json", "secret.toml", "*.secrets", "*.secret", "*-secret.yaml", "*-secret.yml", "*-secrets.yaml", "*-secrets.yml", "master.key", "*.ovpn", "wg*.conf", "shadow", "gshadow", "sam", "*.keytab", ".boto", ".s3cfg", ".rclone.conf", "rclone.conf",
	"auth.json", ".authinfo", ".authinfo.gpg", "hosts.yml", "token", "token.json", "tokens.json", ".token", "*.token", "login data", "cookies.sqlite", "key4.db", "logins.json", "wallet.dat", "*.mobileprovision", "*.agekey", "terraform.rc", ".terraformrc", "known_tokens.csv", ".cargo-credentials", "local.settings.json", "appsettings.production.json", "*.snk",
}

// sensitiveFolders hold nothing but secrets.
var sensitiveFolders = []string{".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store", "gcloud", ".1password", ".op", "secrets", ".secrets", ".credentials"}

// harmlessNames look like sensitive files and are there to be read.
var harmlessNames = set(`.env.example .env.sample .env.template .env.dist .env.defaults .env.schema .env.test.example example.env sample.env template.env
	secrets.md secrets.go secrets.py secrets.ts secrets.js secrets.rs secrets.rb secrets.java secrets.txt.example credentials.go credentials.py credentials.ts credentials.js credentials.rs credentials.rb credentials.java credentials.md
	credentials.json.example credentials.test.ts credentials_test.go secrets_test.go`)

// Sensitive reports whether a file is one that is never read and never cited,
// by its name: environments, private keys, credentials, logins.
func Sensitive(name string) bool {
	name, _ = splitLines(strings.ToLower(strings.ReplaceAll(name, `\`, "/")))
	name, _, _ = strings.Cut(name, "#l") // .env#L12, as links to lines are written
	base := path.Base(name)
	if harmlessNames[base] || strings.HasSuffix(base, ".pub") || strings.HasSuffix(base, ".example") || strings.HasSuffix(base, ".sample") {
		return false
	}
	for _, p := range sensitiveNames {
		if ok, err := path.Match(p, base); ok && err == nil {
			return !sourceCode(base)
		}
	}
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		for _, f := range sensitiveFolders {
			if path.Base(dir) == f && !sourceCode(base) {
				return true
			}
		}
	}
	return false
}

// sourceCode says that a file is of a programming language: code that handles
// secrets is not secret.
func sourceCode(base string) bool {
	switch path.Ext(base) {
	case ".go", ".py", ".ts", ".tsx", ".js", ".jsx", ".rs", ".rb", ".java", ".kt", ".c", ".h", ".cc", ".cpp", ".cs", ".swift", ".php", ".ex", ".exs", ".md", ".rst", ".adoc", ".html", ".css", ".sql", ".proto":
		return true
	}
	return false
}
