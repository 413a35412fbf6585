# The Homebrew formula. The release workflow fills in where the source is.
class Zhushu < Formula
  desc "Separates the layers of Chinese classics with commentaries, writes editions"
  homepage "@HOME@"
  url "@URL@"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"zhushu", "completions", shells: [:bash, :zsh, :fish])
    system bin/"zhushu", "man", buildpath/"man"
    man1.install Dir["man/*.1"]
  end

  test do
    system bin/"zhushu", "demo", "yili"
    cd "yili" do
      system bin/"zhushu", "build"
      assert_path_exists testpath/"yili/out/site/index.html"
    end
  end
end
