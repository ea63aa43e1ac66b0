# packaging/homebrew/fill.sh puts the version, the repository and the checksums of a release in the place of the @words@.
class Cnflint < Formula
  desc "Lints MySQL and MariaDB option files the way the server reads them"
  homepage "https://github.com/@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/cnflint-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
    on_intel do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/cnflint-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/cnflint-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/cnflint-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "cnflint"
    generate_completions_from_executable(bin/"cnflint", "completions")
    (buildpath/"cnflint.1").write Utils.safe_popen_read(bin/"cnflint", "man")
    man1.install "cnflint.1"
  end

  test do
    (testpath/"my.cnf").write "[mysqld]\ninnodb_buffer_pol_size = 1G\n"
    report = shell_output("#{bin}/cnflint my.cnf --server mariadb-10.11 --no-detect --format short", 1)
    assert_match "my.cnf:2:1: error[unknown-option]", report
  end
end
