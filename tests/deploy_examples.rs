//! The examples of `examples/deploy/`, run as they stand: each puts a good file in its place, and neither a bad one nor one
//! about which too little is known. They run on this system with an `/etc`, `/usr` and `/var` of their own.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

const HOME: &str = env!("CARGO_MANIFEST_DIR");
const PLACE: &str = "/etc/mysql/conf.d/site.cnf";
/// Fits everywhere, and nowhere.
const GOOD: &str = "1G";
const BAD: &str = "64T";

/// A copy of one example.
struct Example {
    directory: tempfile::TempDir,
}

impl Example {
    /// `None`, and a word about it, where a tool is missing or the kernel allows no mounts of one's own.
    fn new(name: &str, tools: &[&str]) -> Option<Self> {
        let runs = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
        for tool in tools {
            if !runs(Command::new(tool).arg("--version")) {
                eprintln!("skipped: {tool} is not installed");
                return None;
            }
        }
        let example = Self { directory: tempfile::tempdir().unwrap() };
        for directory in ["own", "home"] {
            std::fs::create_dir(example.path(directory)).unwrap();
        }
        let from = Path::new(HOME).join("examples/deploy").join(name);
        assert!(runs(Command::new("cp").arg("-r").arg(from).arg(example.path("example"))), "{name}");
        if !runs(&mut example.in_own_system("true")) {
            eprintln!("skipped: no overlay of one's own can be mounted here");
            return None;
        }
        Some(example)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A shell script that runs in the example, unwatched.
    fn in_own_system(&self, script: &str) -> Command {
        let mut command = Command::new(Path::new(HOME).join("tests/gate/own_system.sh"));
        command.arg(self.path("own")).args(["sh", "-c", script]).current_dir(self.path("example"));
        command.env("CNFLINT", env!("CARGO_BIN_EXE_cnflint")).env("HOME", self.path("home")).env("LC_ALL", "C.UTF-8");
        command.stdin(std::process::Stdio::null());
        command
    }

    /// What a script prints, its status, and whether the option file is in its place afterwards.
    fn deploy(&self, script: &str) -> (String, bool, bool) {
        let script = format!("({script}) 2>&1; echo \"status $?\"; test -e {PLACE} && echo placed");
        let output = self.in_own_system(&script).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let succeeded = text.lines().any(|line| line == "status 0");
        let placed = text.lines().any(|line| line == "placed");
        (text, succeeded, placed)
    }

    /// Holds what every example is for; `script` deploys a file with this size of the buffer pool.
    fn stops_the_bad_and_passes_the_good(&self, file: &str, script: impl Fn(&str) -> String) {
        let (text, succeeded, placed) = self.deploy(&script(GOOD));
        assert!(succeeded && placed, "{text}");
        let (text, succeeded, placed) = self.deploy(&script(BAD));
        assert!(!succeeded && !placed && text.contains("buffer-pool-too-large"), "{text}");

        let path = self.path("example").join(file);
        let example = std::fs::read_to_string(&path).unwrap();
        let more = example.replace("--require ram,", "--require load-size,");
        assert_ne!(more, example, "{file}");
        std::fs::write(&path, more).unwrap();
        let (text, succeeded, placed) = self.deploy(&script(GOOD));
        assert!(!succeeded && !placed && text.contains("--load-size"), "{text}");
    }
}

#[test]
fn ansible_validates_a_template() {
    let Some(example) = Example::new("ansible", &["ansible-playbook"]) else { return };
    std::fs::write(
        example.path("hosts"),
        "[databases]\nlocalhost ansible_connection=local ansible_python_interpreter=python3\n",
    )
    .unwrap();
    let hosts = example.path("hosts").display().to_string();
    example.stops_the_bad_and_passes_the_good("deploy.yml", |pool| {
        format!("ansible-playbook -i {hosts} deploy.yml -e buffer_pool={pool}")
    });
}

#[test]
fn puppet_validates_a_file() {
    let Some(example) = Example::new("puppet", &["puppet"]) else { return };
    let own = ["conf", "var", "ssl", "public", "run", "log"]
        .map(|name| format!("--{name}dir {}", example.path("home").join(name).display()))
        .join(" ");
    example.stops_the_bad_and_passes_the_good("site_mysql.pp", |pool| {
        let manifest = format!("\"$(cat site_mysql.pp) class {{ site_mysql: buffer_pool => '{pool}' }}\"");
        // 2 of `--detailed-exitcodes`: something was changed, and nothing failed.
        let apply = format!("puppet apply --detailed-exitcodes --user root --group root {own} -e {manifest}");
        format!("{apply}; test $? = 2")
    });
}

/// Stands for Chef, which is not to be had everywhere: reads the recipe, renders its template, and does with `verify` what Chef does.
const CHEF: &str = r#"
require 'erb'
require 'tempfile'
def default; @default ||= Hash.new { |hash, key| hash[key] = {} }; end
def node; default; end
def template(place)
  @place = place
  yield
  @buffer_pool = @variables[:buffer_pool]
  candidate = Tempfile.create(['.chef-site', '.cnf'])
  candidate.write(ERB.new(File.read("templates/#{@source}")).result(binding))
  candidate.close
  system(format(@verify, path: candidate.path)) or abort 'verification failed'
  File.write(@place, File.read(candidate.path))
end
%w[source owner group mode variables verify].each { |name| define_method(name) { |value| instance_variable_set("@#{name}", value) } }
eval File.read('attributes/default.rb')
default['site_mysql']['buffer_pool'] = ARGV[0]
eval File.read('recipes/default.rb')
"#;

#[test]
fn a_chef_recipe_verifies_a_template() {
    let Some(example) = Example::new("chef", &["ruby"]) else { return };
    std::fs::write(example.path("chef.rb"), CHEF).unwrap();
    let chef = example.path("chef.rb").display().to_string();
    example.stops_the_bad_and_passes_the_good("recipes/default.rb", |pool| format!("ruby {chef} {pool}"));
}

#[test]
fn a_debian_package_is_configured_only_with_a_good_file() {
    let Some(example) = Example::new("debian", &["dpkg", "dpkg-deb"]) else { return };
    let tree = example.path("tree");
    let control = "Package: site-mysql\nVersion: 1\nArchitecture: all\nMaintainer: none\nDescription: an option file\n";
    std::fs::create_dir_all(tree.join("DEBIAN")).unwrap();
    std::fs::create_dir_all(tree.join("usr/share/site-mysql")).unwrap();
    std::fs::write(tree.join("DEBIAN/control"), control).unwrap();
    let tree = tree.display().to_string();
    example.stops_the_bad_and_passes_the_good("postinst", |pool| {
        // The directory is there before, since an overlay does not let dpkg rename one.
        format!(
            "cp postinst postrm {tree}/DEBIAN && mkdir /usr/share/site-mysql && \
             printf '[mysqld]\\ninnodb_buffer_pool_size = %s\\n' {pool} > {tree}/usr/share/site-mysql/site.cnf && \
             dpkg-deb --root-owner-group --build {tree} {tree}.deb >/dev/null && dpkg --force-depends --install {tree}.deb"
        )
    });
    let (text, succeeded, placed) =
        example.deploy(&format!("mkdir -p /etc/mysql/conf.d && touch {PLACE} && sh postrm purge"));
    assert!(succeeded && !placed, "{text}");
}

#[test]
fn systemd_starts_the_server_only_with_good_files() {
    let Some(example) = Example::new("systemd", &[]) else { return };
    let drop_in = std::fs::read_to_string(example.path("example/cnflint.conf")).unwrap();
    assert!(drop_in.contains("\nExecStartPre=+/usr/bin/cnflint "), "as root, by its full name");
    // What a service has of its environment, and no more. The server is what puts the file in its place here.
    example.stops_the_bad_and_passes_the_good("cnflint.conf", |pool| {
        format!(
            "printf '[mysqld]\\ninnodb_buffer_pool_size = %s\\n' {pool} > {PLACE} && \
             env -i PATH=/usr/bin:/bin $(sed -n 's/^ExecStartPre=+//p' cnflint.conf) || {{ rm {PLACE}; false; }}"
        )
    });

    let Some(example) = Example::new("systemd", &["systemd-analyze"]) else { return };
    let unit = "[Unit]\nDescription=a server\n[Service]\nType=oneshot\nExecStart=/bin/true\n";
    let script = format!(
        "mkdir -p /etc/systemd/system/mariadb.service.d && printf '{}' > /etc/systemd/system/mariadb.service && \
         cp cnflint.conf /etc/systemd/system/mariadb.service.d && systemd-analyze verify --man=no mariadb.service",
        unit.replace('\n', "\\n")
    );
    let (text, succeeded, _) = example.deploy(&script);
    assert!(succeeded && !text.contains("cnflint"), "{text}");
}
